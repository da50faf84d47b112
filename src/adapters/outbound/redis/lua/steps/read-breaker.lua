-- Returns nothing, or since when (epoch ms) the breaker of the queue is open, until when no call starts, or 0 when that
-- is over, and why.

--- @include "rules/store-time"

if rcall("HEXISTS", meta, GATED) == 0 then return false end
local open = rcall("HMGET", prefix .. GATE, OPEN_UNTIL, OPEN_SINCE, OPEN_REASON)
if not open[1] then return false end
return {tonumber(open[2]), tonumber(open[1]) > storeTime() and tonumber(open[1]) or 0, open[3]}
