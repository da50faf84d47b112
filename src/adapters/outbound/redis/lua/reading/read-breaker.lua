-- Returns nothing, or what attempts/open-breaker has of the breaker of the queue.
--- @include "attempts/open-breaker"

if rcall("HEXISTS", meta, GATED) == 0 then return false end
local since, till, reason = openBreaker(prefix)
return since > 0 and {since, till, reason}
