-- In TypeScript: domain/transitions/groups/waiting
-- Where the jobs of a group wait: part of groups/group-places, which includes it.

-- The place of a waiting job in its group is an order of 20 digits: jobs that fell due come first, by that time, then
-- those without a priority, then the others by theirs. In a band of equal ones the digits behind are numbers, so that a
-- job can go ahead of all others as well as behind them.

local function putInGroup(prefix, group, id, order)
  rcall("ZADD", prefix .. GROUP_WAITING, 0, memberOf(group, order, id))
  rcall("HSET", prefix .. id, GROUP_ORDER, order)
  self.noteChanged(prefix, group)
end

-- Has a job wait at an end of those of its group and priority. A job keeps its place while it runs, so no number is
-- given twice as long as one waits or runs.
function self.waitInGroup(prefix, group, id, priority, isAhead)
  self.beReady(prefix, group)
  local count = rcall("HINCRBY", prefix .. GROUP_TURNS, "o", 1)
  local number = MIDDLE_NUMBER + (isAhead and -count or count)
  putInGroup(prefix, group, id, string.format("%s%07.0f%012.0f", priority > 0 and "2" or "1", priority, number))
end

-- Has a job that fell due wait: one without a priority ahead of the others, in the order of those times. The score is
-- that of the delayed job.
function self.waitWhenDue(prefix, group, id, priority, score)
  if priority > 0 then
    self.waitInGroup(prefix, group, id, priority, false)
  else
    self.beReady(prefix, group)
    putInGroup(prefix, group, id, string.format("0%019.0f", score))
  end
end

-- The order of a job that goes ahead of all others of its group, even of those that fell due.
local AHEAD_OF_ALL = "00000000000000000000"

-- The defaults of groups, as JSON: those of the last claim, or else of the last look for native workers.
function self.lastDefaults(prefix)
  local known = rcall("HMGET", prefix .. "meta", GROUP_DEFAULTS, NATIVE_GROUP_DEFAULTS)
  return known[1] or known[2]
end

local function areOrdered(prefix)
  local defaults = self.lastDefaults(prefix)
  return defaults and string.find(defaults, '"ordered":"', 1, true) and true
end

-- Has a job that was active wait where it was taken. In an ordered group none may overtake it.
function self.waitAgainInGroup(prefix, group, id)
  local order = areOrdered(prefix) and AHEAD_OF_ALL or rcall("HGET", prefix .. id, GROUP_ORDER)
  takePart(prefix, group)
  if order then putInGroup(prefix, group, id, order)
  else self.waitInGroup(prefix, group, id, tonumber(rcall("HGET", prefix .. id, "priority") or "") or 0, true) end
end
