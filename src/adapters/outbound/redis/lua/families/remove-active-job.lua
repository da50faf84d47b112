-- Removes an active job, whose attempt loses it. Returns 1, or what the guard returns.
--- @include "attempts/freed-place"
--- @include "attempts/queue"
--- @include "families/removal"
--- @include "attempts/state-guard"
--- @include "attempts/taken-attempt"

local state, nearEnd, refusal = guarded(prefix, id, allowed, reach)
if not state then return refusal end
callersTime = now
takeAttempt(prefix, id, now, OUTCOME_CANCELLED, "")
removeFamily(prefix, id, nearEnd, false)
freePlaceOf(queueOf(prefix, now))
return 1
