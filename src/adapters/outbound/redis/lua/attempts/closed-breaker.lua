--- @include "attempts/gate"

-- Closes the breaker and forgets what was counted.
local function closeBreaker(prefix)
  rcall("DEL", prefix .. GATE_FAILED)
  rcall("HDEL", prefix .. GATE, FAILED, OPEN_UNTIL, OPEN_FOR, OPEN_SINCE, OPEN_REASON, PROBE, PROBE_JOB)
  leaveGate(prefix)
end
