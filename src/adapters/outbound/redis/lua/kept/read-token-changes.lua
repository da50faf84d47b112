-- Reads the changes of tokens since a version: the number of changes so far, and the entry of the latest in the list of
-- changes. Returns the version that the read changes lead to, 1 when there are further ones, else 0, and for each
-- changed token its id and the token as JSON, empty for one that is gone. When the changes are not known: the present
-- version and -1.
--
-- knownCount, knownEntry: number of changes and entry of the known version
-- most: how many changes to read at most

local count = rcall("HGET", tokens, "") or ""
local latest = rcall("XREVRANGE", changes, "+", "-", "COUNT", 1)[1]
local latestEntry = latest and latest[1] or ""
if count == knownCount and latestEntry == knownEntry then return {count, latestEntry, 0} end
-- A store that was emptied, restored or failed over may have other changes, and earlier versions of the service count
-- changes without listing them.
local isListed = latest and latest[2][2] == count and knownEntry ~= ""
local entries = isListed and rcall("XRANGE", changes, knownEntry, "+", "COUNT", most + 1) or {}
local first = entries[1]
if not first or first[1] ~= knownEntry or first[2][2] ~= knownCount then return {count, latestEntry, -1} end
local answer, seen = {knownCount, knownEntry, 0}, {}
for place = 2, #entries do
  local entry, fields = entries[place][1], entries[place][2]
  if tonumber(fields[2]) ~= tonumber(knownCount) + place - 1 then return {count, latestEntry, -1} end
  answer[1], answer[2] = fields[2], entry
  local id = fields[4]
  if not seen[id] then
    seen[id] = true
    answer[#answer + 1] = id
    answer[#answer + 1] = rcall("HGET", tokens, id) or ""
  end
end
if answer[2] ~= latestEntry then answer[3] = 1 end
return answer
