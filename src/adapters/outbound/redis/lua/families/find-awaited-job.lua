-- Finds the job that a job waits for. Returns its key and whether it failed for good, or nothing.
--
-- most: most jobs below it
--- @include "families/awaited-below"

local awaited, isFailed = awaitedBelow(job, {left = most})
return awaited and {awaited, isFailed and 1 or 0}
