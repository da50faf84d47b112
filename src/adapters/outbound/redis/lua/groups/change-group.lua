-- In TypeScript: domain/transitions/groups/changing
-- Changes what holds for a group, has it take turns again where it may, and wakes one waiter for jobs. Returns until
-- when the group is held; otherwise whether there was something to remove, as 1 or 0. Returns -1, and changes nothing,
-- when as many other groups have settings, are paused or are held as may.
--
-- what: what to do: "settings", "remove", "pause", "resume", "hold" or "end-hold"
-- value: the settings as JSON, or for how many ms to hold
-- stop: who pauses or holds it, as JSON; empty when that is not known
--- @include "attempts/later-stop"
--- @include "groups/group-orders"
--- @include "reading/store-time"

local settings, states, held, answer = prefix .. GROUP_SETTINGS, prefix .. GROUP_STATES, prefix .. GROUP_HELD, 1

-- How many groups have what this one is to get, and whether it has it already. Nothing where nothing is bounded.
local function counted()
  if what == "settings" then return rcall("HLEN", settings), rcall("HEXISTS", settings, group) == 1
  elseif what == "pause" then return rcall("HLEN", states), rcall("HEXISTS", states, "p" .. group) == 1
  elseif what == "hold" then return rcall("ZCOUNT", held, storeTime(), "+inf"), rcall("ZSCORE", held, group) end
end

local count, isCounted = counted()
if count and count >= MOST_CHANGED_GROUPS and not isCounted then return -1 end
if what == "settings" then rcall("HSET", settings, group, value)
elseif what == "remove" then answer = rcall("HDEL", settings, group)
elseif what == "pause" then
  local kept = rcall("HGET", states, "p" .. group)
  if isLaterStop(kept, stop) then rcall("HSET", states, "p" .. group, stop)
  elseif not kept then rcall("HSET", states, "p" .. group, 1) end
elseif what == "resume" then rcall("HDEL", states, "p" .. group)
elseif what == "hold" then answer = string.format("%.0f", holdGroup(prefix, group, tonumber(value), stop))
else
  rcall("ZREM", held, group)
  rcall("HDEL", prefix .. GROUP_HOLDERS, group)
end
groupPlaces().unstageGroup(prefix, group)
groupPlaces().noteChanged(prefix, group)
-- A hold frees no group.
if what ~= "hold" then groupPlaces().unpark(prefix, group) end
rcall("ZADD", marker, 0, "0")
return answer
