--- @include "reading/store-time"

-- Since when (epoch ms) the breaker of a queue with a gate is open, until when no call starts, or 0 when that is over,
-- and why; 0, 0 and an empty text unless it is open.
local function openBreaker(prefix)
  local open = rcall("HMGET", prefix .. GATE, OPEN_UNTIL, OPEN_SINCE, OPEN_REASON)
  if not open[1] then return 0, 0, "" end
  return tonumber(open[2]), tonumber(open[1]) > storeTime() and tonumber(open[1]) or 0, open[3]
end
