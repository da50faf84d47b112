--- @include "bullmq/addDelayMarkerIfNeeded"
--- @include "adds/delayed-job"
--- @include "groups/grouped-queue"
--- @include "events/job-event"
--- @include "adds/new-job"
--- @include "adds/waiting"

-- Stores a job that no producer adds: the next one of a scheduler, or the one that follows another of its deduplication
-- id. BullMQ's functions call it by this name; theirs knows no groups.
local function storeAndEnqueueJob(events, job, id, name, data, options, timestamp, parentKey, parentData, schedulerId,
    maxEvents, wait, _, _, meta, prioritized, _, delayed, marker)
  local prefix, delay, priority = string.sub(meta, 1, -#"meta" - 1), options.delay or 0, options.priority or 0
  writeJob(job, name, data, cjson.encode(options), timestamp, delay, priority)
  if parentKey then rcall("HSET", job, "parentKey", parentKey, "parent", parentData) end
  if schedulerId then rcall("HSET", job, "rjk", schedulerId) end
  if options.de and options.de.id then rcall("HSET", job, "deid", options.de.id) end
  local group = type(options.group) == "table" and options.group.id
  if group then
    if not isGroupedQueue(prefix) then becomeGrouped(prefix, meta, wait, prioritized) end
    joinGroup(job, group, tostring(options.group.cost or 1))
  end
  if options.cost and options.cost ~= 1 then noteCost(prefix, job, options.cost) end
  groupEvent(events, nil, group, "added", id, "name", name)
  if delay ~= 0 then
    waitUntilDue(prefix, maxEvents, group, id, timestamp, tonumber(delay))
    addDelayMarkerIfNeeded(marker, delayed)
  else
    addWaiting(prefix, id, priority, options.lifo and priority == 0 and "RPUSH" or "LPUSH")
    groupEvent(events, maxEvents, group, "waiting", id)
  end
  return delay, priority
end
