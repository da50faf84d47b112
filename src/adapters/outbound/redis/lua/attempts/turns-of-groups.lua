-- The turns of the groups of a queue that has some. They cost nothing in a run on a queue without any.
local function turnsOfGroups(queue, claimant)
  --- @include "groups/turns"
  return turnsOf(queue, claimant.groups, claimant.count, GROUP_DEFAULTS)
end
