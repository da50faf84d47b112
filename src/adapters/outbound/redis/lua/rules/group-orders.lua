--- @include "rules/group-places"
--- @include "rules/store-time"

-- How the groups of a queue are ordered: false, "skip" or "block". Endings without a claim go by what was said last.
local function orderOfGroups(queue)
  local defaults = queue.groups
  if not defaults or defaults == "" then defaults = groupPlaces().lastDefaults(queue.prefix) end
  return defaults and defaults ~= "" and cjson.decode(defaults).ordered or false
end

-- A job that failed for good blocks its group where its order says so.
local function blockGroup(queue, group, id)
  if orderOfGroups(queue) == "block" then rcall("HSET", queue.prefix .. GROUP_BLOCKS, "f" .. group, id) end
end

-- A job that waits for its next attempt holds an ordered group.
local function holdGroupFor(queue, group, id)
  if orderOfGroups(queue) then rcall("HSET", queue.prefix .. GROUP_BLOCKS, "h" .. group, id) end
end

-- A job that waited for its next attempt, or that failed, goes or changes its place: its group is free of it.
local function freeOrder(prefix, group, id)
  local blocks = prefix .. GROUP_BLOCKS
  for _, kind in ipairs({"f", "h"}) do
    if rcall("HGET", blocks, kind .. group) == id then rcall("HDEL", blocks, kind .. group) end
  end
end

-- Holds a group for some ms; a longer hold stays. Returns until when.
local function holdGroup(prefix, group, duration)
  local states = prefix .. GROUP_STATES
  local before = tonumber(rcall("HGET", states, "h" .. group) or "") or 0
  local till = math.max(before, math.floor(storeTime() + duration))
  rcall("HSET", states, "h" .. group, string.format("%.0f", till))
  groupPlaces().unstageGroup(prefix, group)
  return till
end
