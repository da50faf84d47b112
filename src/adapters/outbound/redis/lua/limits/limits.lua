local rules

-- The rules of the limits that queues share. The definitions cost nothing in a run without any.
local function limitRules()
  if rules then return rules end
  --- @include "limits/shared-limits"
  --- @include "limits/flow-limit"
  rules = {of = sharedLimitsOf, leave = leaveLimits, windows = windowsUnderLimits, offer = offerFreed,
    flow = flowLimit}
  return rules
end

-- Offers the room of limits that a run freed, at its end.
local function offerFreedRoom(prefix) if rules then rules.offer(prefix) end end
