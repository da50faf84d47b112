-- Makes the first waiting job active, of those without a group. Returns its id, if there is one.
local function takeFirst(queue)
  local id = rcall("RPOPLPUSH", queue.wait, queue.active)
  -- Markers of older versions of BullMQ.
  while id and string.sub(id, 1, 2) == "0:" do
    rcall("LREM", queue.active, 1, id)
    id = rcall("RPOPLPUSH", queue.wait, queue.active)
  end
  if id then return id end
  --- @include "bullmq/moveJobFromPrioritizedToActive"
  return moveJobFromPrioritizedToActive(queue.prioritized, queue.active, queue.priorityCounter)
end

-- The id of the next job: that of the turn, or the first that waits without a group.
local function idOfNext(queue, turn)
  return turn and turn.job and idInGroup(turn.job) or rcall("LINDEX", queue.wait, -1)
      or rcall("ZRANGE", queue.prioritized, 0, 0)[1]
end
