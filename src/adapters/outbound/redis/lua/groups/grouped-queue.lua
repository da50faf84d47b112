--- @include "groups/group-places"

-- Fails where a key of the groups has another type, before anything is written.
local function checkGroupKeys(prefix)
  rcall("ZCARD", prefix .. GROUP_WAITING)
  rcall("ZCARD", prefix .. GROUP_READY)
  rcall("HLEN", prefix .. GROUP_TURNS)
end

-- Has the queue take turns from now on. Jobs without a group that were there first have the first turn.
local function becomeGrouped(prefix, meta, wait, prioritized)
  rcall("HSET", meta, GROUPED, "1")
  if rcall("EXISTS", wait, prioritized) > 0 then groupPlaces().beReady(prefix, "") end
end
