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

-- Has the attempt with the token leave the limits under which it holds its job, if any, at the end of a run.
local function leaveLimitsOf(prefix, token)
  if not token or rcall("HEXISTS", prefix .. "meta", LIMITED) == 0 then return end
  limitRules().leave(prefix, token)
  limitRules().offer(prefix)
end
