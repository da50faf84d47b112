--- @include "reading/decoded"
--- @include "groups/id-in-group"
--- @include "adds/priority-room"

-- How far the scores of two neighbouring priorities are apart.
local PRIORITY_STEP = 0x100000000

-- When a waiting job could start: its timestamp and the delay that it was added with. Nothing without the job.
local function startableAt(job)
  local record = rcall("HMGET", job, "timestamp", "opts")
  local timestamp = tonumber(record[1] or nil)
  if not timestamp then return nil end
  local delay = 0
  -- Most jobs have none: to decode the options of all of them takes most of the time.
  if record[2] and string.find(record[2], '"delay"', 1, true) then
    delay = tonumber(decoded(record[2]).delay) or 0
  end
  return timestamp + delay
end

-- Looks for the job that has waited longest. It stands at an end of the waiting jobs, first of the prioritized ones, or
-- first of those of the lowest priority. Each of the functions returns how many jobs there are; `since` is when the
-- first of all that were looked at could start, or nothing.
local function waitingSince(jobPrefix)
  local self = {}

  local function look(id) self.note(startableAt(jobPrefix .. id)) end

  function self.note(time)
    if time then self.since = math.min(self.since or time, time) end
  end

  function self.ofEnds(place)
    local list = jobPrefix .. place
    local length = rcall("LLEN", list)
    if length > 0 then look(rcall("LINDEX", list, 0)) end
    if length > 1 then look(rcall("LINDEX", list, -1)) end
    return length
  end

  -- Of the groups some of the first and of the last will do: nobody knows which job of them all has waited longest.
  function self.ofGroups()
    local waiting = jobPrefix .. GROUP_WAITING
    local size = rcall("ZCARD", waiting)
    if size > 0 then
      for _, ends in ipairs({rcall("ZRANGE", waiting, 0, 9), rcall("ZRANGE", waiting, -10, -1)}) do
        for _, member in ipairs(ends) do look(idInGroup(member)) end
      end
    end
    return size
  end

  function self.ofPriorities()
    local prioritized = jobPrefix .. "prioritized"
    local size = rcall("ZCARD", prioritized)
    if size > 0 then look(rcall("ZRANGE", prioritized, 0, 0)[1]) end
    if size > 1 then
      local last = tonumber(rcall("ZREVRANGE", prioritized, 0, 0, "WITHSCORES")[2])
      local lowest = string.format("%.0f", last - (last + ROOM) % PRIORITY_STEP)
      look(rcall("ZRANGEBYSCORE", prioritized, lowest, "+inf", "LIMIT", 0, 1)[1])
    end
    return size
  end

  return self
end
