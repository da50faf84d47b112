-- Reads one page of the jobs of some states. Returns, all of the same moment, the counts of all states, the ids of the
-- page, and the hashes of the first of its jobs, as many as one command may read.
--
-- KEYS[1] active
-- KEYS[2] wait
-- KEYS[3] paused
-- KEYS[4] prioritized
-- KEYS[5] delayed
-- KEYS[6] completed
-- KEYS[7] failed
-- KEYS[8] waiting for children
--
-- ARGV[1] job key prefix
-- ARGV[2] where the page starts
-- ARGV[3] its length
-- ARGV[4…10] "1" or "0" for each state in the order of the counts: active, waiting, prioritized, delayed, completed,
-- failed, waiting for children
--- @include "rules/page-of-jobs"
--- @include "rules/read-jobs"

local counts, page = pageOfJobs(KEYS[1], KEYS[2], KEYS[3], KEYS[4], KEYS[5], KEYS[6], KEYS[7], KEYS[8],
  ARGV[2], ARGV[3], {unpack(ARGV, 4)})
return {counts, page, readJobs(ARGV[1], page, 1)}
