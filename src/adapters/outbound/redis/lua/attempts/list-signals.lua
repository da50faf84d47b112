-- Returns how many signals of a queue are kept or waited for, and of some of them, by key, the key, how many jobs wait and
-- until when it is kept, or an empty text.
--- @include "attempts/waits"

forgetKept(prefix, now)
local signals = {}
for index, key in ipairs(rcall("ZRANGEBYLEX", prefix .. SIGNALS, "-", "+", "LIMIT", start, length)) do
  local keptUntil = rcall("ZSCORE", prefix .. SIGNALS_KEPT, key) or ""
  signals[index] = {key, countWaitingFor(prefix, key), keptUntil}
end
return {rcall("ZCARD", prefix .. SIGNALS), signals}
