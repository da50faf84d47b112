-- Returns the next groups with waiting jobs, in the order of their bytes.
--
-- KEYS[1] the set of the waiting jobs of groups
--
-- ARGV[1] most groups
-- ARGV[2] the group behind which to begin, empty for the first

local most, after, groups = tonumber(ARGV[1]), ARGV[2], {}
while #groups < most do
  local member = rcall("ZRANGEBYLEX", KEYS[1], after == "" and "-" or "[" .. after .. "\1", "+", "LIMIT", 0, 1)[1]
  if not member then break end
  after = string.match(member, "^(.-)%z")
  groups[#groups + 1] = after
end
return groups
