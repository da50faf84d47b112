-- Returns how many signals of a queue are kept or waited for, and of some of them, by key, the key, how many jobs wait
-- and until when it is kept, or an empty text.
--- @include "attempts/waits"

-- Most jobs that one run forgets at a signal since they are suspended no more.
local MOST_GONE = 100

local function forgetGone(key)
  for _ = 1, MOST_GONE do
    local first = rcall("ZRANGEBYLEX", prefix .. SIGNAL_WAITS, "[" .. key .. " ", "(" .. key .. "!", "LIMIT", 0, 1)[1]
    if not first or suspensionOf(prefix, first) then return end
    rcall("ZREM", prefix .. SIGNAL_WAITS, first)
  end
end

forgetKept(prefix, now)
local signals = {}
for _, key in ipairs(rcall("ZRANGEBYLEX", prefix .. SIGNALS, "-", "+", "LIMIT", start, length)) do
  forgetGone(key)
  local waiting, keptUntil = countWaitingFor(prefix, key), rcall("ZSCORE", prefix .. SIGNALS_KEPT, key)
  if waiting > 0 or keptUntil then signals[#signals + 1] = {key, waiting, keptUntil or ""}
  else leaveSignal(prefix, key) end
end
return {rcall("ZCARD", prefix .. SIGNALS), signals}
