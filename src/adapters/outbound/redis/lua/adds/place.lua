-- Takes apart where a job goes, as TypeScript's `placeOf` puts it together; behind the others how much of the turns of
-- its group it takes, and that group, if it has one, and what its start counts, unless that is 1.
local function placeOf(place)
  if place == "" then return "0", "0", "0", "", "0" end
  local turns, group, cost
  if string.find(place, "\1", 1, true) then place, cost = string.match(place, "^(.*)\1(%d+)$") end
  if string.find(place, "\0", 1, true) then place, turns, group = string.match(place, "^(.-)%z(%d+):(.*)$") end
  local delay, priority, lifo, ttl, id = string.match(place, "^(%d+):(%d+):(%d):(%d+):(.*)$")
  return delay, priority, lifo, id, ttl, turns, group, cost
end
