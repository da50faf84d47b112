-- Lists the next queues of the registry, and removes those from it that other clients have deleted. Returns their names
-- in one text, which costs the reader less than thousands of answers, and the last name that was read when more may
-- come behind it.
--
-- from: the first name, as a bound of ZRANGEBYLEX
--- @include "reading/has-jobs"
--- @include "reading/in-pieces"

local names = rcall("ZRANGEBYLEX", registry, from, "+", "LIMIT", 0, most)

-- One command looks for the metadata of many queues, which each of them has as a rule.
local function allThere(first, last)
  local metadata = {}
  for index = first, last do metadata[#metadata + 1] = start .. names[index] .. ":meta" end
  return rcall("EXISTS", unpack(metadata)) == #metadata
end

local there, gone = {}, {}
for first = 1, #names, AT_ONCE do
  local last = math.min(first + AT_ONCE - 1, #names)
  local isEachThere = allThere(first, last)
  for index = first, last do
    local name = names[index]
    local found = (isEachThere or isThere(start .. name .. ":")) and there or gone
    found[#found + 1] = name
  end
end
inPieces("ZREM", registry, gone)

-- No name has a control character.
return {table.concat(there, "\n"), #names == most and names[#names]}
