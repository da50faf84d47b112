-- Returns the summaries of the first of some jobs, as many as one command may read; nothing where there is no job.
--
-- KEYS[1] any key of the queue, for its slot
--
-- ARGV[1] job key prefix
-- ARGV[2…] ids
--- @include "rules/job-summary"

return summariesOf(ARGV[1], ARGV, 2)
