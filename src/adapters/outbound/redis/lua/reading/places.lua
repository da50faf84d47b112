--- @include "groups/id-in-group"

-- The places of the jobs of each state, in listing order. Waiting jobs are in two lists where an older BullMQ paused
-- the queue, and those of groups in a set of their own.
local PLACES = {{"active"}, {"wait", "paused", GROUP_WAITING}, {"prioritized"}, {"delayed"}, {"completed"}, {"failed"},
  {"waiting-children"}}

local IS_LIST = {active = true, wait = true, paused = true}

-- How many jobs are in a place.
local function sizeOf(prefix, place) return rcall(IS_LIST[place] and "LLEN" or "ZCARD", prefix .. place) end

-- The ids of a place in listing order, from one position to another, as LRANGE counts them.
local function idsOf(prefix, place, first, last)
  local ids = rcall(IS_LIST[place] and "LRANGE" or "ZREVRANGE", prefix .. place, first, last)
  if place ~= GROUP_WAITING then return ids end
  for index, member in ipairs(ids) do ids[index] = idInGroup(member) end
  return ids
end
