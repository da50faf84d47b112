local functions

-- The functions of BullMQ for what few endings need: families, deduplication, and the removal of ended jobs. Their
-- definitions cost nothing in a run that does not ask for them.
local function library()
  if functions then return functions end
  --- @include "bullmq/destructureJobKey"
  --- @include "bullmq/moveChildFromDependenciesIfNeeded"
  --- @include "bullmq/removeDeduplicationKeyIfNeededOnFinalization"
  --- @include "bullmq/removeJobsByMaxAge"
  --- @include "bullmq/removeJobsByMaxCount"
  --- @include "bullmq/requeueDeduplicatedJob"
  --- @include "bullmq/updateParentDepsIfNeeded"
  functions = {
    endDeduplication = removeDeduplicationKeyIfNeededOnFinalization,
    addFollowing = requeueDeduplicatedJob,
    failChild = moveChildFromDependenciesIfNeeded,
    completeChild = updateParentDepsIfNeeded,
    forgetChild = removeParentDependencyKey,
    idOf = getJobIdFromKey,
    queueOf = getJobKeyPrefix,
    removeOlder = removeJobsByMaxAge,
    removeBeyond = removeJobsByMaxCount,
  }
  return functions
end
