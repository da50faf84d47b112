-- Takes apart where a job goes, as TypeScript's `placeOf` puts it together.
local function placeOf(place)
  if place == "" then return "0", "0", "0", "", "0" end
  local delay, priority, lifo, ttl, id = string.match(place, "^(%d+):(%d+):(%d):(%d+):(.*)$")
  return delay, priority, lifo, id, ttl
end
