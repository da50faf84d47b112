-- Reads one page of the jobs of some states. Returns, all of the same moment, the counts of all states, the ids of the
-- page, and the first of its jobs as reading/rows has them.
--
-- wanted: "1" or "0" for each state in listing order
-- longest: as reading/rows has it
-- REST: the fields to read of each, or none for all
--- @include "reading/page-of-jobs"
--- @include "reading/rows"

local counts, page = pageOfJobs(prefix, wanted, start, length)
return {counts, page, rowsOf(prefix, page, {unpack(ARGV, REST)}, longest)}
