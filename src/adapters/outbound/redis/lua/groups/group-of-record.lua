--- @include "reading/decoded"

-- The group of a job that is to be taken, as a job without one, and its cost. Jobs that native clients moved, and those
-- of native producers, are among the others. The record is that of HGETALL.
local function groupOfRecord(record)
  local group, cost, options = nil, 1, nil
  for field = 1, #record, 2 do
    local name = record[field]
    if name == GROUP then group = record[field + 1]
    elseif name == GROUP_COST then cost = tonumber(record[field + 1]) or 1
    elseif name == "opts" then options = record[field + 1] end
  end
  if not group and options and string.find(options, '"group"', 1, true) then
    local given = decoded(options).group
    if type(given) == "table" and type(given.id) == "string" and given.id ~= "" then
      return given.id, tonumber(given.cost) or 1, true
    end
  end
  return group, cost
end
