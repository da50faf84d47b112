--- @include "groups/grouped-queue"
--- @include "reading/in-pieces"

-- Has many jobs wait in their groups at once: what groups/group-places does for one of them, with few commands for all.
-- A group has a field in the hash of turns, as have the jobs without one.
--
-- isGrouped: whether the queue takes turns already
-- facts: hasGroups, whether any job has a group; fields, the arguments from and to which, counted from REST on, are the
-- fields of the groups with waiting jobs; lastOrder, the last place that a job has in its group
local function newcomersIn(base, meta, wait, prioritized, isGrouped, facts)
  local turns, idle, UNGROUPED = base .. GROUP_TURNS, base .. GROUP_IDLE, "g"
  -- `hasTurn`: the fields that have a turn.
  local self, hasTurn = {}, {}

  checkGroupKeys(base)
  rcall("ZCARD", idle)
  local from, to = REST + facts.fields[1], REST + facts.fields[2]
  for at = rcall("EXISTS", turns) == 1 and from or math.huge, to, AT_ONCE do
    local found = rcall("HMGET", turns, unpack(ARGV, at, math.min(at + AT_ONCE - 1, to)))
    for index = 1, #found do hasTurn[ARGV[at + index - 1]] = found[index] end
  end

  -- Whether a job of the group may wait already: a group with waiting jobs has a turn or is parked.
  function self.mayWait(group) return hasTurn["g" .. group] end

  -- The first write.
  function self.begin()
    if not facts.hasGroups and not isGrouped then return end
    groupPlaces().forgetTurns(base)
    if rcall("EXISTS", turns) == 0 then hasTurn = {} end
    hasTurn[UNGROUPED] = rcall("HEXISTS", turns, UNGROUPED) == 1
  end

  local function noteChanged(fields, first, last)
    if not groupPlaces().areChangesNoted(base) then return end
    local changed = {}
    for index = first, last do
      changed[#changed + 1], changed[#changed + 2] = 0, string.sub(fields[index], 2)
    end
    inPieces("ZADD", base .. GROUP_CHANGED, changed)
  end

  -- Has fields take their first turn, in that order.
  local function takeTurns(fields)
    if #fields == 0 then return end
    local known = rcall("HMGET", turns, "v", "s")
    local time, count, hasIdle = tonumber(known[1] or "0"), tonumber(known[2] or "0"), rcall("EXISTS", idle) == 1
    local exact = groupPlaces().exact
    if count == 0 then
      local register, name = groupPlaces().registerOfTurns(base)
      rcall("SADD", register, name)
    end
    local entries, turnsOf, now = {}, {}, exact(time)
    for position, field in ipairs(fields) do
      local group, number, own = string.sub(field, 2), string.format("%014d", count + position), nil
      if hasIdle then own = tonumber(rcall("ZSCORE", idle, group) or "") end
      local at = 2 * position
      entries[at - 1] = own and own > time and exact(own) or now
      entries[at] = number .. group
      turnsOf[at - 1], turnsOf[at] = field, "r" .. number
    end
    inPieces("ZADD", base .. GROUP_READY, entries)
    inPieces("HSET", turns, turnsOf)
    rcall("HSET", turns, "s", string.format("%.0f", count + #fields))
  end

  -- Has jobs join before they are written. The values from and to those positions are the fields of the groups in which
  -- they wait, in the order of their first jobs.
  --
  -- hasGroups: whether any of the jobs has a group
  -- ungroupedAfter: behind how many of these groups the first job without one waits, if any does
  function self.join(fields, first, last, hasGroups, ungroupedAfter)
    local joining = {}
    local function takePart(field)
      if hasTurn[field] then return end
      hasTurn[field], joining[#joining + 1] = true, field
    end
    if hasGroups and not isGrouped then
      isGrouped = true
      rcall("HSET", meta, GROUPED, "1")
      -- Jobs without a group that were there first have the first turn.
      if rcall("EXISTS", wait, prioritized) > 0 then takePart(UNGROUPED) end
    end
    if not isGrouped then return end
    for index = first, last do
      if index - first == ungroupedAfter then takePart(UNGROUPED) end
      takePart(fields[index])
    end
    if ungroupedAfter then takePart(UNGROUPED) end
    noteChanged(fields, first, last)
    local given = last >= first and tonumber(rcall("HGET", turns, "o") or 0)
    if given and facts.lastOrder > given then rcall("HSET", turns, "o", string.format("%.0f", facts.lastOrder)) end
    takeTurns(joining)
  end

  return self
end
