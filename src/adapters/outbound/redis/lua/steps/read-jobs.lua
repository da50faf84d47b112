-- Returns the first of some jobs with their states as rules/rows has them.
--
-- count: how many ids there are
-- longest: as rules/rows has it
-- REST: the ids, then the fields to read of each, or none for all
--- @include "rules/rows"

local names = {unpack(ARGV, REST + count)}
return rowsOf(prefix, {unpack(ARGV, REST, REST + count - 1)}, names, longest, statesIn(prefix))
