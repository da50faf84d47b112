-- In TypeScript: domain/transitions/groups/blocking
--- @include "groups/group-places"
--- @include "reading/in-pieces"
--- @include "reading/store-time"

-- How the groups of a queue are ordered: false, "skip" or "block". Endings without a claim go by what was said last.
local function orderOfGroups(queue)
  local defaults = queue.groups
  if not defaults or defaults == "" then defaults = groupPlaces().lastDefaults(queue.prefix) end
  return defaults and defaults ~= "" and cjson.decode(defaults).ordered or false
end

-- A job that failed for good blocks its group where its order says so.
local function blockGroup(queue, group, id)
  if orderOfGroups(queue) ~= "block" then return end
  rcall("HSET", queue.prefix .. GROUP_BLOCKS, "f" .. group, id)
  groupPlaces().noteChanged(queue.prefix, group)
end

-- A job that waits for its next attempt holds an ordered group.
local function holdGroupFor(queue, group, id)
  if not orderOfGroups(queue) then return end
  rcall("HSET", queue.prefix .. GROUP_BLOCKS, "h" .. group, id)
  groupPlaces().noteChanged(queue.prefix, group)
end

-- Forgets the holds of groups that have ended, and who asked for them.
local function forgetHolds(prefix, now)
  local past = string.format("%.0f", math.floor(now))
  inPieces("HDEL", prefix .. GROUP_HOLDERS, rcall("ZRANGEBYSCORE", prefix .. GROUP_HELD, "-inf", past))
  rcall("ZREMRANGEBYSCORE", prefix .. GROUP_HELD, "-inf", past)
end

-- Holds a group for some ms; a longer hold stays. Returns until when.
--
-- stop: which caller asks for it, as JSON; nothing or empty for an endpoint, and when that is not known
local function holdGroup(prefix, group, duration, stop)
  local held, holders, now = prefix .. GROUP_HELD, prefix .. GROUP_HOLDERS, storeTime()
  local before = tonumber(rcall("ZSCORE", held, group) or "") or 0
  local till = math.max(before, math.floor(now + duration))
  forgetHolds(prefix, now)
  if stop and stop ~= "" and till > before then rcall("HSET", holders, group, stop)
  elseif till > before then rcall("HDEL", holders, group) end
  rcall("ZADD", held, string.format("%.0f", till), group)
  local left = math.ceil(rcall("ZRANGE", held, -1, -1, "WITHSCORES")[2] - now)
  rcall("PEXPIRE", held, left)
  rcall("PEXPIRE", holders, left)
  groupPlaces().unstageGroup(prefix, group)
  groupPlaces().noteChanged(prefix, group)
  return till
end
