-- In TypeScript: domain/transitions/removal
--- @include "bullmq/destructureJobKey"
--- @include "bullmq/removeDeduplicationKeyIfNeededOnRemoval"
--- @include "bullmq/removeJobKeys"
--- @include "families/children"
--- @include "families/callers-time"
--- @include "groups/freed-group"
--- @include "events/job-event"
--- @include "adds/created-queue"
--- @include "events/own-ended"
--- @include "families/released-parent"
--- @include "attempts/take-out"
--- @include "attempts/waits"

-- Removes a job with all its data, and if `withChildren` first all jobs below it. Its parent, which is looked up unless
-- it is given by its key, goes on without it.
local function removeFamily(prefix, id, nearEnd, withChildren, parent)
  local job = prefix .. id
  removeParentDependencyKey(job, false, parent)
  for _, child in ipairs(withChildren and childrenOf(job) or {}) do
    local childId = getJobIdFromKey(child)
    removeFamily(getJobKeyPrefix(child, childId), childId, nearEnd, true, job)
  end
  local place, group, suspension = takeOut(prefix, id, nearEnd), unpack(rcall("HMGET", job, GROUP, SUSPENSION))
  if suspension then forgetWaits(prefix, id, suspension) end
  local hadEnded = place == "completed" or place == "failed"
  if not hadEnded and string.find(prefix, OWN_KEY, 1, true) then ownEnded(prefix, id, callersTime) end
  if group then
    freeGroup(prefix, group, id)
  end
  removeDeduplicationKeyIfNeededOnRemoval(prefix, id, rcall("HGET", job, "deid"))
  if removeJobKeys(job) == 0 then return end
  groupEvent(prefix .. "events", keepEvents(prefix .. "meta"), group, "removed", id, "prev", place)
end
