-- Returns the hashes of the first of some jobs, as many as one command may read; of what is no job an empty hash.
--
-- KEYS[1] any key of the queue, for its slot
--
-- ARGV[1] job key prefix
-- ARGV[2…] ids
--- @include "rules/read-jobs"

return readJobs(ARGV[1], ARGV, 2)
