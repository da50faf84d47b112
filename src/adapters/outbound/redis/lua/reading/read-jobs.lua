-- Returns the first of some jobs with their states as reading/rows has them.
--
-- count: how many ids there are
-- longest: as reading/rows has it
-- REST: the ids, then the fields to read of each, or none for all
--- @include "reading/rows"

local names = {unpack(ARGV, REST + count)}
return rowsOf(prefix, {unpack(ARGV, REST, REST + count - 1)}, names, longest, statesIn(prefix))
