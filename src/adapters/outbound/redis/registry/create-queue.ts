import { EVENTS_KEPT } from '../layout/events-kept.ts';

/** The field of a queue's metadata that says that the registry lists it. */
export const LISTED = 'jobgate.listed';

/**
 * Lua: lists a queue in the registry. The field goes with the queue, and a script that creates the queue again sets it
 * anew. So an add that finds it has nothing to do, and no replica need remember anything. Both keys are in one slot of
 * a cluster, as all keys of a prefix are.
 */
export const REGISTER_QUEUE = `
local function registerQueue(registry, meta)
  if redis.call("HSETNX", meta, "${LISTED}", "1") == 1 then
    redis.call("ZADD", registry, 0, string.match(meta, "([^:]+):meta$"))
  end
end
`;

/** Lua: how many events a queue keeps, which is the default from then on unless its metadata says otherwise. */
export const KEEP_EVENTS = `
local function keepEvents(meta)
  if redis.call("HSETNX", meta, "opts.maxLenEvents", "${EVENTS_KEPT}") == 1 then return "${EVENTS_KEPT}" end
  return redis.call("HGET", meta, "opts.maxLenEvents")
end
`;

/**
 * Lua: creates a queue unless it is there, as every script has to that gives a queue something of its own. It returns
 * how many events the queue keeps.
 */
export const CREATE_QUEUE = `${REGISTER_QUEUE}${KEEP_EVENTS}
local function createQueue(registry, meta)
  local kept = keepEvents(meta)
  registerQueue(registry, meta)
  return kept
end
`;
