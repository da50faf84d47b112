-- A count of a job and one; a count that is no integer begins anew. Most jobs have none yet: writing a number as text
-- takes as long as some commands.
local function oneMore(field)
  if not field then return "1" end
  return string.format("%.0f", (string.find(field, "^%-?%d+$") and field or 0) + 1)
end
