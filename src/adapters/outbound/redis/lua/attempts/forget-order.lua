--- @include "attempts/gate"

-- Forgets in which order jobs went back, as one starts.
local function forgetOrder(prefix)
  if rcall("DEL", prefix .. GATE_STARTED, prefix .. GATE_RETURNED) > 0 then
    leaveGate(prefix)
  end
end
