import type { Redis } from 'ioredis';
import type { Stage } from '../stage.ts';

/** The queue that is put right. */
export const LARGE_QUEUE = 'large';

/** How many jobs it holds. */
export const LARGE = 1_000_000;

const BATCH = 10_000;
const DELAY = 7 * 24 * 60 * 60 * 1000;

/** What an endpoint that is down leaves behind, as the library writes it. */
const FAIL = `
for index = 2, #ARGV do
  local id = ARGV[index]
  local reason = "Endpoint answered 503: order " .. id .. " is not known"
  redis.call("HSET", KEYS[3] .. id, "processedOn", ARGV[1], "finishedOn", ARGV[1], "atm", 1, "ats", 1,
    "failedReason", reason)
  redis.call("ZADD", KEYS[2], ARGV[1], id)
end
redis.call("LTRIM", KEYS[1], 0, -#ARGV)
`;

/** Has the queue hold a million jobs of one state, past the service. */
export const LARGE_QUEUES = {
  waiting: (stage: Stage): Promise<void> => stage.add(LARGE_QUEUE, LARGE),
  delayed: (stage: Stage): Promise<void> => stage.add(LARGE_QUEUE, LARGE, { delay: DELAY }),
  failed: async (stage: Stage): Promise<void> => {
    await stage.add(LARGE_QUEUE, LARGE);
    for (let failed = 0; failed < LARGE; failed += BATCH) await failOldest(stage.redis, BATCH);
  },
};

async function failOldest(redis: Redis, count: number): Promise<void> {
  const prefix = `bull:${LARGE_QUEUE}:`;
  const keys = [`${prefix}wait`, `${prefix}failed`, prefix];
  const ids = await redis.lrange(`${prefix}wait`, -count, -1);
  await redis.eval(FAIL, keys.length, ...keys, Date.now(), ...ids);
}
