--- @include "events/keep-events"

-- Lists a queue in the registry. The field goes with the queue, and a script that creates the queue again sets it
-- anew. So an add that finds it has nothing to do, and no replica need remember anything. Both keys are in one slot of
-- a cluster, as all keys of a prefix are.
local function registerQueue(registry, meta)
  -- The service's own queues are in no list.
  if string.find(meta, OWN_KEY, 1, true) then return end
  if rcall("HSETNX", meta, LISTED, "1") == 1 then
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
