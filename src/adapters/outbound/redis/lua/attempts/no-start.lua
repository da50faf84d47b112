--- @include "groups/group-terms"
--- @include "limits/limits"

-- The limiters count the latest start no more, as its job goes back without a call. The largest integer in the window
-- of BullMQ stops the queue for a time, and stays.
local function countNoStart(queue, group, token)
  rcall("RPOP", queue.prefix .. STARTS)
  local count = tonumber(rcall("GET", queue.limiter) or "") or 0
  if count > 0 and count < LARGEST_NUMBER then rcall("DECR", queue.limiter) end
  if group then rcall("RPOP", groupStarts(queue.prefix, group)) end
  if rcall("HEXISTS", queue.meta, LIMITED) == 1 then limitRules().uncount(queue.prefix, token) end
end
