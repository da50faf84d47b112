import type { Redis } from 'ioredis';

/** Where a Redis keeps the time of the play on it: seconds, and microseconds within the second. */
const KEY = 'play-time';

/** How scripts ask for the time of the server. */
const TIME = 'rcall("TIME")';

/** Has the scripts of a connection go by the time of the play in place of the server's own. */
export function goByPlayTime(redis: Redis): void {
  const defineCommand = redis.defineCommand.bind(redis);
  redis.defineCommand = (name, { lua, ...definition }) => {
    const timed = lua.replaceAll(TIME, `rcall("LRANGE", "${KEY}", 0, -1)`);
    defineCommand(name, { ...definition, lua: timed });
  };
}

/** @param now epoch ms. */
export async function setPlayTime(redis: Redis, now: number): Promise<void> {
  const time = [Math.floor(now / 1000), (now % 1000) * 1000];
  await redis
    .multi()
    .del(KEY)
    .rpush(KEY, ...time)
    .exec();
}
