-- Returns the next waiting jobs of groups, group by group: the members of their set, and the fields of the first as
-- rules/read-fields has them; none where no field is asked for.
--
-- KEYS[1] the set
--
-- ARGV[1] job key prefix
-- ARGV[2] most jobs
-- ARGV[3] the member behind which to begin, empty for the first
-- ARGV[4…] fields to read of each
--- @include "rules/group-places"
--- @include "rules/read-fields"

local prefix, most, after, names = ARGV[1], tonumber(ARGV[2]), ARGV[3], {unpack(ARGV, 4)}
local members = rcall("ZRANGEBYLEX", KEYS[1], after == "" and "-" or "(" .. after, "+", "LIMIT", 0, most)
if #names == 0 then return {members} end
local ids = {}
for index, member in ipairs(members) do ids[index] = idInGroup(member) end
return {members, readFirst(prefix, names, ids, most)}
