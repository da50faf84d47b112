local functions

-- What few endings need: families, deduplication, and the removal of ended jobs. The definitions cost nothing in a run
-- that does not ask for them.
local function library()
  if functions then return functions end
  --- @include "adds/deduplication"
  --- @include "families/family"
  --- @include "bullmq/removeJobsByMaxAge"
  --- @include "bullmq/removeJobsByMaxCount"
  functions = {
    endDeduplication = endDeduplication,
    endChild = endChild,
    forgetChild = removeParentDependencyKey,
    removeOlder = removeJobsByMaxAge,
    removeBeyond = removeJobsByMaxCount,
  }
  return functions
end
