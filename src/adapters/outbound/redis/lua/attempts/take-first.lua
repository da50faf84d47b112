--- @include "bullmq/moveJobFromPrioritizedToActive"

-- Makes the first waiting job active, of those without a group. Returns its id, if there is one.
local function takeFirst(queue)
  local id = rcall("RPOPLPUSH", queue.wait, queue.active)
  -- Markers of older versions of BullMQ.
  while id and string.sub(id, 1, 2) == "0:" do
    rcall("LREM", queue.active, 1, id)
    id = rcall("RPOPLPUSH", queue.wait, queue.active)
  end
  return id or moveJobFromPrioritizedToActive(queue.prioritized, queue.active, queue.priorityCounter)
end
