-- Removes a job, and all below it on request. Returns 1, or what the guard returns, TOO_MANY_BELOW, NEXT_OF_SCHEDULER,
-- or HELD_BELOW: what an attempt holds stays.
--
-- withChildren: to remove the jobs below it as well
--- @include "attempts/active"
--- @include "families/children"
--- @include "adds/next-of-scheduler"
--- @include "families/removal"
--- @include "attempts/state-guard"

-- Whether any of all the jobs below a job is active.
local function holdsActive(parent)
  for _, child in ipairs(childrenOf(parent)) do
    local id = getJobIdFromKey(child)
    if isActive(getJobKeyPrefix(child, id), id) or holdsActive(child) then return true end
  end
  return false
end

local state, nearEnd, refusal = guarded(prefix, id, allowed, reach)
if not state then return refusal end
if withChildren and not isSmallFamily(job) then return TOO_MANY_BELOW end
local hasEnded = state == "completed" or state == "failed"
if not hasEnded and isNextOfScheduler(prefix, id) then return NEXT_OF_SCHEDULER end
if withChildren and holdsActive(job) then return HELD_BELOW end
callersTime = now
removeFamily(prefix, id, nearEnd, withChildren)
return 1
