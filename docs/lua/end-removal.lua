-- Ends the removal of a queue. One that jobs were added to meanwhile becomes one that was made by an add.
--
-- KEYS[1] meta
-- KEYS[2] registry of queues
-- KEYS[3] register of queues with accepted jobs
-- KEYS[4] register of queues with expiring jobs
--
-- ARGV[1] job key prefix

local rcall = redis.call
-- How many events a queue keeps, which is the default from then on unless its metadata says otherwise.
local function keepEvents(meta)
  if rcall("HSETNX", meta, "opts.maxLenEvents", "<events kept>") == 1 then return "<events kept>" end
  return rcall("HGET", meta, "opts.maxLenEvents")
end

-- Lists a queue in the registry. The field goes with the queue, and a script that creates the queue again sets it
-- anew. So an add that finds it has nothing to do, and no replica need remember anything. Both keys are in one slot of
-- a cluster, as all keys of a prefix are.
local function registerQueue(registry, meta)
  if rcall("HSETNX", meta, "jobgate.listed", "1") == 1 then
    rcall("ZADD", registry, 0, string.match(meta, "([^:]+):meta$"))
  end
end

-- Creates a queue unless it is there, as every script has to that gives a queue something of its own. It returns
-- how many events the queue keeps.
local function createQueue(registry, meta)
  local kept = keepEvents(meta)
  registerQueue(registry, meta)
  return kept
end
-- Whether a queue has any job, in any state.
local function hasJobs(prefix)
  return rcall("EXISTS", prefix .. "active", prefix .. "wait", prefix .. "paused", prefix .. "prioritized",
    prefix .. "delayed", prefix .. "jobgate:group-waiting", prefix .. "completed", prefix .. "failed", prefix .. "waiting-children") > 0
end

-- What a queue has beside its jobs and its metadata.
local REST = {"marker", "id", "pc", "events", "limiter", "stalled", "stalled-check", "repeat", "metrics:completed",
  "metrics:completed:data", "metrics:failed", "metrics:failed:data"}

local meta, registry, accepted, expiring = KEYS[1], KEYS[2], KEYS[3], KEYS[4]
local prefix = ARGV[1]
rcall("DEL", meta)
if hasJobs(prefix) then
  createQueue(registry, meta)
  rcall("ZADD", prefix .. "marker", 0, "0")
  return
end
for _, key in ipairs(REST) do rcall("UNLINK", prefix .. key) end
local queue = string.match(meta, "([^:]+):meta$")
for _, register in ipairs({registry, accepted, expiring}) do rcall("ZREM", register, queue) end
