--- @include "attempts/gate"

-- Ends the hold of a queue, and removes a gate that nothing else needs. Answers whether there was a hold.
local function endHold(prefix)
  local wasHeld = rcall("HDEL", prefix .. GATE, HELD, HELD_SINCE, HELD_BY, HELD_STOP) > 0
  leaveGate(prefix)
  return wasHeld
end
