-- The call that the claims of a run fill, where it has several jobs.
local function batchOfClaims(queue, batch)
  --- @include "attempts/batch"
  return batchOf(queue, batch)
end
