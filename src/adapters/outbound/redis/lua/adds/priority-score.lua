-- The score of a job among those with a priority, given how many had one before, so that they are in the order of their
-- adds. Beyond priority 2097151, which BullMQ does not have, only every other number is exact.
local function scoreOfPriority(priority, count)
  if priority >= 0x200000 then return priority * 0x100000000 + (count % 0x100000000) * 2 end
  return priority * 0x100000000 + count % 0x100000000
end

local function getPriorityScore(priority, priorityCounterKey)
  return scoreOfPriority(priority, rcall("INCR", priorityCounterKey))
end
