-- Lists queues in the registry that other clients created.
--
-- KEYS[1] registry of queues
--
-- ARGV[1] what stands before a queue's name in its keys
-- ARGV[2…] names of queues

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

local registry = KEYS[1]
for index = 2, #ARGV do
  local meta = ARGV[1] .. ARGV[index] .. ":meta"
  if rcall("TYPE", meta).ok == "hash" then
    registerQueue(registry, meta)
    rcall("ZADD", registry, 0, ARGV[index])
  end
end
