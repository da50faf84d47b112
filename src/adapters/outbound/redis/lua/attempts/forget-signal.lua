-- In TypeScript: domain/transitions/signals
-- Returns 1 when the signal was kept, else 0.
--- @include "attempts/waits"

local keptUntil = tonumber(rcall("ZSCORE", prefix .. SIGNALS_KEPT, key) or "")
rcall("ZREM", prefix .. SIGNALS_KEPT, key)
rcall("HDEL", prefix .. SIGNAL_BODIES, key)
leaveSignal(prefix, key)
return keptUntil and keptUntil > tonumber(now) and 1 or 0
