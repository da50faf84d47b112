-- Returns the next waiting jobs of groups, group by group: the members of their set, and the first of the jobs as
-- reading/rows has them; none where no field is asked for.
--
-- after: the member behind which to begin, empty for the first
-- REST: fields to read of each
--- @include "groups/id-in-group"
--- @include "reading/rows"

local names = {unpack(ARGV, REST)}
local members = rcall("ZRANGEBYLEX", set, after == "" and "-" or "(" .. after, "+", "LIMIT", 0, most)
if #names == 0 then return {members} end
local ids = {}
for index, member in ipairs(members) do ids[index] = idInGroup(member) end
return {members, rowsOf(prefix, ids, names)}
