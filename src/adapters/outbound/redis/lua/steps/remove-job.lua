-- Removes a job, and all below it on request. Returns 1, or what the guard returns, TOO_MANY_BELOW, NEXT_OF_SCHEDULER,
-- or HELD_BELOW: what an attempt holds stays.
--
-- KEYS[1] job
--
-- ARGV[1] job key prefix
-- ARGV[2] id of the job
-- ARGV[3] allowed states
-- ARGV[4] how far to look for a waiting job
-- ARGV[5] 1 to remove the jobs below it as well
-- ARGV[6] now
--- @include "rules/active"
--- @include "rules/children"
--- @include "rules/next-of-scheduler"
--- @include "rules/removal"
--- @include "rules/state-guard"

-- Whether any of all the jobs below a job is active.
local function holdsActive(parent)
  for _, child in ipairs(childrenOf(parent)) do
    local id = getJobIdFromKey(child)
    if isActive(getJobKeyPrefix(child, id), id) or holdsActive(child) then return true end
  end
  return false
end

local job = KEYS[1]
local prefix, id, allowed, reach, withChildren = ARGV[1], ARGV[2], ARGV[3], ARGV[4], ARGV[5]
local state, nearEnd, refusal = guarded(prefix, id, allowed, reach)
if not state then return refusal end
if withChildren == "1" and not isSmallFamily(job) then return TOO_MANY_BELOW end
local hasEnded = state == "completed" or state == "failed"
if not hasEnded and isNextOfScheduler(prefix, id) then return NEXT_OF_SCHEDULER end
if withChildren == "1" and holdsActive(job) then return HELD_BELOW end
callersTime = ARGV[6]
removeFamily(prefix, id, nearEnd, withChildren == "1")
return 1
