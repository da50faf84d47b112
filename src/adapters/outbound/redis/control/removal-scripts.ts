import type { Script } from '../connection/scripts.ts';
import { placeKeys } from '../layout/place-keys.ts';
import type { QueueKeys } from '../layout/queue-keys.ts';
import { CREATE_QUEUE } from '../registry/create-queue.ts';

/** How many keys `placeKeys` has. They come first. */
const PLACES = 8;

const HAS_JOBS = `local function hasJobs() return redis.call("EXISTS", unpack(KEYS, 1, ${PLACES})) > 0 end
`;

/**
 * Begins to remove a queue: from then on no job of it starts. KEYS: `placeKeys`, metadata, marker. ARGV: 1 to begin
 * also while jobs are active. Answers whether it has begun, or what keeps it.
 */
export const beginRemovalScript: Script = {
  name: 'beginRemoval',
  numberOfKeys: PLACES + 2,
  lua: `
${HAS_JOBS}
local active, meta, marker, isForced = KEYS[1], KEYS[${PLACES + 1}], KEYS[${PLACES + 2}], ARGV[1] == "1"
if redis.call("EXISTS", meta) == 0 and not hasJobs() then return "missing" end
if not isForced and redis.call("LLEN", active) > 0 then return "active" end
-- The write that takes no memory goes first, or a store whose memory is used up refuses both.
redis.call("DEL", marker)
redis.call("HSET", meta, "paused", 1)
return "begun"
`,
};

/**
 * Removes some of the job schedulers. KEYS: schedulers. ARGV: most of them. Answers how many they were.
 */
export const removeSchedulersScript: Script = {
  name: 'removeSchedulers',
  numberOfKeys: 1,
  lua: `
local schedulers = KEYS[1]
local ids = redis.call("ZRANGE", schedulers, 0, ARGV[1] - 1)
if #ids == 0 then return 0 end
local keys = {}
for index, id in ipairs(ids) do keys[index] = schedulers .. ":" .. id end
redis.call("UNLINK", unpack(keys))
redis.call("ZREM", schedulers, unpack(ids))
return #ids
`,
};

/**
 * Removes keys that belong to the queue and to no job of it that is there. KEYS: metadata, for its slot. ARGV: job
 * key prefix, what stands before a deduplication id, then the keys.
 */
export const removeKeysScript: Script = {
  name: 'removeKeys',
  numberOfKeys: 1,
  lua: `
local jobPrefix, deduplication = ARGV[1], ARGV[2]
for index = 3, #ARGV do
  local key = ARGV[index]
  local job = string.sub(key, 1, #deduplication) == deduplication and redis.pcall("GET", key)
  local isOfJob = type(job) == "string" and redis.call("EXISTS", jobPrefix .. job) == 1
  if not isOfJob then redis.call("UNLINK", key) end
end
`,
};

/** What a queue has beside its places, metadata and marker, and which only goes when no job is left. */
function restKeys(keys: QueueKeys): readonly string[] {
  const { id, priorityCounter, events, limiter, stalled, stalledCheck, repeat, jobPrefix } = keys;
  const metrics = ['completed', 'failed'].map((status) => `${jobPrefix}metrics:${status}`);
  const points = metrics.map((key) => `${key}:data`);
  return [
    id,
    priorityCounter,
    events,
    limiter,
    stalled,
    stalledCheck,
    repeat,
    ...metrics,
    ...points,
  ];
}

/** The keys of `endRemovalScript`. */
export function endRemovalKeys(keys: QueueKeys): readonly string[] {
  const { meta, marker, registry, acceptedQueues, expiringQueues } = keys;
  return [
    ...placeKeys(keys),
    meta,
    marker,
    registry,
    acceptedQueues,
    expiringQueues,
    ...restKeys(keys),
  ];
}

/** How many keys `restKeys` has. */
const REST = 11;

/**
 * Ends the removal. A queue that jobs were added to meanwhile becomes one that was made by an add. KEYS: `placeKeys`,
 * metadata, marker, registry, the registers of queues with accepted and with expiring jobs; then what else the queue has.
 */
export const endRemovalScript: Script = {
  name: 'endRemoval',
  numberOfKeys: PLACES + 5 + REST,
  lua: `
${HAS_JOBS}
${CREATE_QUEUE}
local meta, marker, registry = KEYS[${PLACES + 1}], KEYS[${PLACES + 2}], KEYS[${PLACES + 3}]
redis.call("DEL", meta)
if hasJobs() then
  createQueue(registry, meta)
  redis.call("ZADD", marker, 0, "0")
else
  redis.call("UNLINK", marker, unpack(KEYS, ${PLACES + 6}))
  local queue = string.match(meta, "([^:]+):meta$")
  for index = ${PLACES + 3}, ${PLACES + 5} do redis.call("ZREM", KEYS[index], queue) end
end
`,
};
