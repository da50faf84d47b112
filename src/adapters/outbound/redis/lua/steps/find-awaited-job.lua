-- Finds the job that a job waits for. Returns its key and whether it failed for good, or nothing.
--
-- KEYS[1] the job
--
-- ARGV[1] most jobs below it
--- @include "rules/awaited-below"

local job, isFailed = awaitedBelow(KEYS[1], {left = tonumber(ARGV[1])})
return job and {job, isFailed and 1 or 0}
