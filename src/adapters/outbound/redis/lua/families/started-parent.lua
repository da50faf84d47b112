--- @include "bullmq/addDelayMarkerIfNeeded"
--- @include "adds/delayed-job"
--- @include "events/job-event"
--- @include "adds/waiting"

-- Starts a parent that waits for no child any more: it is delayed or has its priority, as its options say, or goes
-- ahead of the others. BullMQ's functions call it by this name; theirs knows no groups.
local function moveParentToWait(queueKey, parentKey, id, timestamp)
  local prefix, options = queueKey .. ":", rcall("HMGET", parentKey, "priority", "delay", GROUP)
  local priority, delay, group = tonumber(options[1]) or 0, tonumber(options[2]) or 0, options[3]
  if delay > 0 then
    waitUntilDue(prefix, nil, group, id, timestamp, delay)
    addDelayMarkerIfNeeded(prefix .. "marker", prefix .. "delayed")
    return
  end
  -- One that waited for jobs that it added held its group.
  local isHolding = group and rcall("HGET", prefix .. GROUP_BLOCKS, "h" .. group) == id
  if isHolding then
    rcall("HDEL", prefix .. GROUP_BLOCKS, "h" .. group)
    groupPlaces().freePlace(prefix, group)
  end
  addWaiting(prefix, id, priority, priority > 0 and not isHolding and "LPUSH" or "RPUSH")
  groupEvent(prefix .. "events", nil, group, "waiting", id, "prev", "waiting-children")
end
