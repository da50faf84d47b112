--- @include "groups/group-places"

-- Takes a job out of the place where it is, the list of waiting jobs from `nearEnd`, as LREM counts. Returns the place.
local function takeOut(prefix, id, nearEnd)
  for _, set in ipairs({"completed", "waiting-children", "delayed", "failed", "prioritized"}) do
    if rcall("ZREM", prefix .. set, id) == 1 then return set end
  end
  if groupPlaces().takeOutOfGroup(prefix, id) == 1 then return "wait" end
  if rcall("LREM", prefix .. "wait", nearEnd, id) == 1 then return "wait" end
  if rcall("LREM", prefix .. "paused", 1, id) == 1 then return "paused" end
  if rcall("LREM", prefix .. "active", 1, id) == 1 then return "active" end
  return "unknown"
end
