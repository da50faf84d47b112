-- Returns the summaries of the first of some jobs, as many as one command may read; nothing where there is no job.
--
-- REST: the ids
--- @include "rules/job-summary"

return summariesOf(prefix, ARGV, REST)
