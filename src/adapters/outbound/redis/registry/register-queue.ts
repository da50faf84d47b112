/** The field of a queue's metadata that says that the registry lists it. */
export const LISTED = 'jobgate.listed';

/**
 * Lua: has the registry list a queue. The field goes with the queue, and whoever makes the queue again sets it
 * anew. So an add that finds it has nothing to do, and no replica need remember anything. Both keys are in one
 * slot of a cluster, as all keys of a prefix are.
 */
export const REGISTER_QUEUE = `
local function registerQueue(registry, meta)
  if redis.call("HSETNX", meta, "${LISTED}", "1") == 1 then
    redis.call("ZADD", registry, 0, string.match(meta, "([^:]+):meta$"))
  end
end
`;
