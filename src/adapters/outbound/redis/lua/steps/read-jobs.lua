-- Returns the hashes of the first of some jobs, as many as one command may read; of what is no job an empty hash.
--
-- REST: the ids
--- @include "rules/read-jobs"

return readJobs(prefix, ARGV, REST)
