--- @include "groups/group-orders"
--- @include "adds/delayed-job"
--- @include "events/job-event"
--- @include "attempts/order"
--- @include "adds/priority-score"

-- Delays a job that is not active any more by some ms. It holds its group where that is ordered.
local function delayJob(queue, id, delay, group)
  rcall("HSET", queue.prefix .. id, "delay", delay)
  waitUntilDue(queue.prefix, nil, group, id, queue.timestamp, delay)
  if group then holdGroupFor(queue, group, id) end
end

-- Has a job that is not active any more wait for another attempt: behind those that wait, or ahead of them. A job of a
-- group waits where it was taken. Its priority is looked up unless it is given.
local function requeue(queue, id, isAhead, group, priority)
  if group then
    groupPlaces().waitAgainInGroup(queue.prefix, group, id)
    groupEvent(queue.events, nil, group, "waiting", id, "prev", "active")
    return
  end
  if queue.isGrouped ~= false then groupPlaces().ungroupedWaits(queue.prefix, true) end
  priority = priority or tonumber(rcall("HGET", queue.prefix .. id, "priority") or "") or 0
  if priority > 0 then
    rcall("ZADD", queue.prioritized, getPriorityScore(priority, queue.priorityCounter), id)
  else
    rcall(isAhead and "RPUSH" or "LPUSH", queue.wait, id)
  end
  groupEvent(queue.events, nil, nil, "waiting", id, "prev", "active")
end

-- Puts a job without a group that is not active any more ahead of those of its priority, behind those of a lower number
-- that went back before; ahead of all when it has none.
local function putAhead(queue, id, number)
  groupPlaces().ungroupedWaits(queue.prefix, true)
  putBack(queue.prefix, queue.wait, queue.prioritized, id, number)
  groupEvent(queue.events, nil, nil, "waiting", id, "prev", "active")
end

-- Has a job that is not active any more go on ahead of those of its group or of its priority.
local function goOnAhead(queue, id, group, priority)
  if group or (tonumber(priority) or 0) == 0 then requeue(queue, id, true, group, 0) else putAhead(queue, id) end
end

-- Puts an active job back where it was taken, as if it had never started, or delays it by some ms.
local function giveBack(queue, id, delay, group)
  if delay > 0 or group then
    rcall("LREM", queue.active, -1, id)
    if delay > 0 then delayJob(queue, id, delay, group) else requeue(queue, id, true, group) end
    return
  end
  local number = numbered(queue.prefix, queue.active, id)
  rcall("LREM", queue.active, -1, id)
  putAhead(queue, id, number)
end
