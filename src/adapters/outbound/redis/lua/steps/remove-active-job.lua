-- Removes an active job, whose attempt loses it. Returns 1, or what the guard returns.
--- @include "rules/queue"
--- @include "rules/removal"
--- @include "rules/state-guard"
--- @include "rules/taken-attempt"

local state, nearEnd, refusal = guarded(prefix, id, allowed, reach)
if not state then return refusal end
callersTime = now
takeAttempt(prefix, id, now, OUTCOME_CANCELLED, "")
removeFamily(prefix, id, nearEnd, false)
local queue = queueOf(prefix, now)
-- The next job may start in its place.
rcall("ZADD", queue.marker, 0, "0")
if rcall("EXISTS", queue.wait, queue.active, queue.prioritized, prefix .. GROUP_WAITING) == 0 then
  rcall("XADD", queue.events, "*", "event", "drained")
end
return 1
