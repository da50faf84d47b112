-- The id of a job from what the set of the waiting jobs of groups has for it: the group, a zero, an order of 20 digits,
-- the id.
local function idInGroup(member) return string.match(member, "%z....................(.*)$") end
