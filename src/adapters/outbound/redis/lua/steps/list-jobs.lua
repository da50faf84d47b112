-- Reads one page of the jobs of some states. Returns, all of the same moment, the counts of all states, the ids of the
-- page, and the hashes of the first of its jobs, as many as one command may read.
--
-- REST: "1" or "0" for each state in the order of the counts: active, waiting, prioritized, delayed, completed, failed,
--   waiting for children
--- @include "rules/page-of-jobs"
--- @include "rules/read-jobs"

local counts, page = pageOfJobs(active, wait, paused, prioritized, delayed, completed, failed, waitingChildren,
  start, length, {unpack(ARGV, REST)})
return {counts, page, readJobs(prefix, page, 1)}
