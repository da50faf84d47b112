-- A count of a job and one; a count that is no integer begins anew.
local function oneMore(field)
  return string.format("%.0f", (field and string.find(field, "^%-?%d+$") and field or 0) + 1)
end
