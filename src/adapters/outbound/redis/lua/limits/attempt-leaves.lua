--- @include "limits/limits"

-- Has the attempt with the token leave the limits under which it holds its job, if any, at the end of a run.
local function leaveLimitsOf(prefix, token)
  if not token or rcall("HEXISTS", prefix .. "meta", LIMITED) == 0 then return end
  limitRules().leave(prefix, token)
  limitRules().offer(prefix)
end
