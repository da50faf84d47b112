-- In TypeScript: domain/transitions/groups/blocking
--- @include "groups/group-places"

-- A job that waited for its next attempt, or that failed, goes or changes its place: its group is free of it.
local function freeOrder(prefix, group, id)
  local blocks = prefix .. GROUP_BLOCKS
  for _, kind in ipairs({"f", "h"}) do
    if rcall("HGET", blocks, kind .. group) == id then
      rcall("HDEL", blocks, kind .. group)
      groupPlaces().noteChanged(prefix, group)
    end
  end
end

-- A job goes for good: its group is free of it, and one waiter for jobs is woken if another of its jobs may start.
local function freeGroup(prefix, group, id)
  freeOrder(prefix, group, id)
  if groupPlaces().leaveGroup(prefix, group, id) then rcall("ZADD", prefix .. "marker", 0, "0") end
end
