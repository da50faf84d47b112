-- Moves a job that is to be removed later to where no claim takes it: among the failed ones. Returns 1, or what the
-- guard returns.
--
-- isFirst: if its own parent goes on without it from now on
--- @include "families/released-parent"
--- @include "attempts/state-guard"
--- @include "attempts/take-out"

local state, nearEnd, refusal = guarded(prefix, id, allowed, reach)
if not state then return refusal end
if state ~= "completed" and state ~= "failed" then
  takeOut(prefix, id, nearEnd)
  rcall("HSET", job, "failedReason", "Removed", "finishedOn", now, "delay", 0)
  rcall("ZADD", prefix .. "failed", now, id)
end
callersTime = now
if isFirst then removeParentDependencyKey(job, false) end
return 1
