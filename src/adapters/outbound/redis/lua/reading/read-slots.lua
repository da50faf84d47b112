-- Reads when the schedulers of some queues are due. Returns of each queue that has any its position and of each
-- scheduler its id, its slot, 1 where it is paused or 0, and its LATE_START or an empty string.
--
-- REST: the queues

local answers = {}
for index = REST, #ARGV do
  local schedulers = start .. ARGV[index] .. ":repeat"
  local slots = rcall("ZRANGE", schedulers, 0, -1, "WITHSCORES")
  local found = {}
  for at = 1, #slots, 2 do
    local record = schedulers .. ":" .. slots[at]
    -- What older versions of BullMQ repeated in another way has no such field.
    local fields = rcall("HMGET", record, "ic", PAUSED, LATE_START)
    if fields[1] then
      found[#found + 1] = slots[at]
      found[#found + 1] = slots[at + 1]
      found[#found + 1] = fields[2] and 1 or 0
      found[#found + 1] = fields[3] or ""
    end
  end
  if #found > 0 then answers[#answers + 1] = {index - REST, found} end
end
return answers
