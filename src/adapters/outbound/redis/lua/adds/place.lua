-- Takes apart where a job goes, as TypeScript's `placeOf` puts it together; behind the others its cost and group, if it
-- has one.
local function placeOf(place)
  if place == "" then return "0", "0", "0", "", "0" end
  local cost, group
  if string.find(place, "\0", 1, true) then place, cost, group = string.match(place, "^(.-)%z(%d+):(.*)$") end
  local delay, priority, lifo, ttl, id = string.match(place, "^(%d+):(%d+):(%d):(%d+):(.*)$")
  return delay, priority, lifo, id, ttl, cost, group
end
