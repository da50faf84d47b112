import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { StoreTime } from '../../../src/adapters/outbound/redis/connection/store-time.ts';
import type { ClockPort } from '../../../src/application/ports/clock-port.ts';
import type { QueueHarness } from '../../contracts/queue-harness.ts';
import { FakeClock } from '../fake-clock.ts';
import { dumpOf } from './dump-of.ts';
import type { TestConnections } from './redis-stores.ts';
import { redisReplica } from './redis-stores.ts';
import { CALLS_UNSENT } from '../../../src/adapters/outbound/redis/layout/callback-keys.ts';

/**
 * A store of its own inside a Redis, with a clock that the test controls.
 *
 * @param steady the clock, when the scripts go by it too, and the time that passes by itself is to count for what
 *   `advance` lets pass.
 */
export async function redisQueueHarness(
  connect: () => Promise<TestConnections>,
  prefix = `contract-${randomUUID()}`,
  steady?: FakeClock,
): Promise<QueueHarness> {
  const clock = steady ?? new FakeClock(Date.now());
  let passed = performance.now();
  /**
   * How much of `ms` has passed by itself, half of it at most, and the rest the next time: a key that was made late
   * since then must still be older afterwards.
   */
  const passedByItself = (ms: number): number => {
    if (steady === undefined) return 0;
    const counted = Math.min(performance.now() - passed, ms / 2);
    passed += counted;
    return Math.round(counted);
  };
  const connections = await connect();
  // All keys are on one node of a Cluster, for a prefix in braces.
  const onKeys = async (script: string, ...args: readonly number[]): Promise<void> => {
    await connections.commands.eval(ALL_KEYS + script, 1, `${prefix}:*`, ...args);
  };
  const opened = [connections];
  return {
    prefix,
    ...redisReplica(connections, { prefix, clock, storeTime: timeOf(clock) }),
    now: () => clock.now(),
    advance: async (ms) => {
      const passTime =
        steady === undefined ? PASS_TIME_OF_KEYS + PASS_TIME_IN_KEYS : PASS_TIME_OF_KEYS;
      await onKeys(passTime, ms - passedByItself(ms));
      // The store rounds some ends up to its next millisecond.
      if (steady === undefined) await sleep(2);
      await clock.advance(ms);
    },
    entriesOfGroups: async (queues) => {
      const ofGroups = queues.map((queue) => `${prefix}:${queue}:jobgate:group-*`);
      return (await connections.commands.eval(ENTRIES_OF_GROUPS, 0, ...ofGroups)) as number;
    },
    countCallbacks: async (queue, count) => {
      await connections.commands.hset(`${prefix}:${CALLS_UNSENT}`, queue, count);
    },
    replica: async () => {
      const others = await connect();
      opened.push(others);
      return redisReplica(others, { prefix, clock, storeTime: timeOf(clock) });
    },
    dump: () => dumpOf(connections.commands, prefix),
    // Time passes in steps over all keys of the store: what a test leaves would make each step of later ones slower.
    clear: () => onKeys(REMOVE_KEYS),
    dispose: async () => {
      await onKeys(REMOVE_KEYS);
      for (const each of opened) each.close();
    },
  };
}

/** The clock in place of the store's own. */
export function timeOf(clock: ClockPort): Pick<StoreTime, 'in'> {
  return { in: (ms) => clock.now() + ms };
}

const ALL_KEYS = `
local keys = redis.call("KEYS", KEYS[1])
`;

const REMOVE_KEYS = `
for first = 1, #keys, 1000 do
  redis.call("UNLINK", unpack(keys, first, math.min(first + 999, #keys)))
end
`;

const ENTRIES_OF_GROUPS = `
local sizes, entries = { hash = "HLEN", zset = "ZCARD", list = "LLEN" }, 0
for _, keys in ipairs(ARGV) do
  for _, key in ipairs(redis.call("KEYS", keys)) do
    local size = sizes[redis.call("TYPE", key).ok]
    if size and not string.find(key, ":jobgate:group-shares-", 1, true) then
      entries = entries + redis.call(size, key)
    end
  end
end
return entries
`;

/** Keys expire sooner. */
const PASS_TIME_OF_KEYS = `
local ms = tonumber(ARGV[1])
for _, key in ipairs(keys) do
  local left = redis.call("PTTL", key)
  if left > ms then
    redis.call("PEXPIRE", key, left - ms)
  elseif left >= 0 then
    redis.call("DEL", key)
  end
end
`;

/** The starts that limiters count are older, and holds and open breakers end sooner. */
const PASS_TIME_IN_KEYS = `
local function passIn(key)
  local isStarts = string.find(key, ":jobgate:starts$") or string.find(key, ":jobgate:group-starts-", 1, true)
      or string.find(key, ":jobgate:limit-starts:", 1, true)
  if isStarts and redis.call("TYPE", key).ok == "list" then
    for index, start in ipairs(redis.call("LRANGE", key, 0, -1)) do
      local at, cost = string.match(start, "^(%d+%.%d%d%d)(%d*)$")
      redis.call("LSET", key, index - 1, string.format("%.3f", at - ms) .. cost)
    end
  elseif string.find(key, ":jobgate:group%-parked$") or string.find(key, ":jobgate:group%-held$") or
      string.find(key, ":jobgate:group%-again$") or string.find(key, ":jobgate:limit%-waited:") or
      string.find(key, ":jobgate:limit%-yields:") or string.find(key, ":jobgate:limit%-offers:") then
    for _, group in ipairs(redis.call("ZRANGE", key, 0, -1)) do redis.call("ZINCRBY", key, -ms, group) end
  elseif string.find(key, ":jobgate:group%-settings$") then
    for _, group in ipairs(redis.call("HKEYS", key)) do
      local settings = cjson.decode(redis.call("HGET", key, group))
      if settings.expires then
        settings.expires = settings.expires - ms
        redis.call("HSET", key, group, cjson.encode(settings))
      end
    end
  elseif string.find(key, ":jobgate:gate$") then
    for _, field in ipairs({ "heldSince", "heldUntil", "openUntil" }) do
      local at = redis.call("HGET", key, field)
      if at then redis.call("HSET", key, field, string.format("%.0f", at - ms)) end
    end
  end
end
for _, key in ipairs(keys) do
  if string.find(key, ":jobgate:", 1, true) then passIn(key) end
end
`;
