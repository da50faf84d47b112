-- Returns the next groups with waiting jobs, in the order of their bytes.
--
-- after: the group behind which to begin, empty for the first

local groups = {}
while #groups < most do
  local member = rcall("ZRANGEBYLEX", waiting, after == "" and "-" or "[" .. after .. "\1", "+", "LIMIT", 0, 1)[1]
  if not member then break end
  after = string.match(member, "^(.-)%z")
  groups[#groups + 1] = after
end
return groups
