--- @include "groups/grouped-queue"
--- @include "reading/in-pieces"

-- Has many jobs wait in their groups at once: what groups/group-places does for one of them, with few commands for all.
--
-- isGrouped: whether the queue takes turns already
local function newcomersIn(base, meta, wait, prioritized, isGrouped)
  local turns, ready = base .. GROUP_TURNS, base .. GROUP_READY
  local waiting, idle = base .. GROUP_WAITING, base .. GROUP_IDLE
  local self = {}
  -- The groups, their fields in the hash of turns, and of each by its name its index, or true when it has a turn.
  local groups, fields, states = {}, {}, {}
  local hasUngrouped, hasUngroupedTurn
  -- The indexes of the groups that take their first turn, in that order, 0 for the jobs without one; and the jobs that
  -- wait.
  local first, members, lastOrder = {}, {}, 0
  -- The groups that get a waiting job, as ZADD takes them, where the next look at the demand has to know.
  local changed, isChanged

  local function noteChanged(group)
    if isChanged == nil then isChanged = groupPlaces().areChangesNoted(base) and {} end
    if not isChanged or isChanged[group] then return end
    changed, isChanged[group] = changed or {}, true
    changed[#changed + 1], changed[#changed + 2] = 0, group
  end

  -- A job of a group is among those that are added.
  function self.note(group)
    if states[group] == nil then
      local index = #groups + 1
      groups[index], fields[index], states[group] = group, "g" .. group, index
    end
  end

  local function readStates()
    for from = 1, #groups, AT_ONCE do
      local found = rcall("HMGET", turns, unpack(fields, from, math.min(from + AT_ONCE - 1, #groups)))
      for index = 1, #found do
        if found[index] then states[groups[from + index - 1]] = true end
      end
    end
  end

  -- Reads what is known of the groups, once all are noted.
  function self.know()
    checkGroupKeys(base)
    rcall("ZCARD", idle)
    if #groups > 0 then readStates() end
  end

  -- Whether a job of the group may wait already: a group with waiting jobs has a turn or is parked.
  function self.mayWait(group) return states[group] == true end

  local function takePart(group)
    local index = states[group]
    if index == true then return end
    first[#first + 1], states[group] = index, true
  end

  local function takePartUngrouped()
    if hasUngroupedTurn then return end
    first[#first + 1], hasUngroupedTurn = 0, true
  end

  -- The first write. `last` is the last place that a job of the add has in its group, if any has one.
  function self.begin(last, hasGroups)
    lastOrder = last
    if not hasGroups and not isGrouped then return end
    groupPlaces().forgetTurns(base)
    if rcall("EXISTS", turns) == 0 then
      for index, group in ipairs(groups) do states[group] = index end
    end
    hasUngroupedTurn = rcall("HEXISTS", turns, "g") == 1
  end

  -- A job of a group is stored. Jobs without one that were there first have the first turn.
  function self.join()
    if isGrouped then return end
    isGrouped = true
    rcall("HSET", meta, GROUPED, "1")
    if hasUngrouped or rcall("EXISTS", wait, prioritized) > 0 then takePartUngrouped() end
  end

  -- Has a job wait in its group, as the member of the set of those that wait.
  function self.wait(group, member)
    takePart(group)
    noteChanged(group)
    local size = #members
    members[size + 1], members[size + 2] = "0", member
  end

  -- A job without a group waits.
  function self.waitUngrouped()
    hasUngrouped = true
    if isGrouped then takePartUngrouped() end
  end

  local function writeOrder()
    local given = tonumber(rcall("HGET", turns, "o") or 0)
    if lastOrder > given then rcall("HSET", turns, "o", string.format("%.0f", lastOrder)) end
  end

  -- Has all the jobs of an add join at once, in place of the functions for one job. The groups with waiting jobs are
  -- the arguments from and to those positions, as fields of the hash of turns, in the order of their first jobs.
  -- `facts` has: hasGroups, whether any job has a group; ungroupedAfter, behind how many of these groups the first job
  -- without a group waits, if any does.
  function self.joinTogether(facts, from, to)
    local ungroupedAfter = facts.ungroupedAfter
    if facts.hasGroups then
      hasUngrouped = ungroupedAfter == 0
      self.join()
    end
    if not isGrouped then return end
    local areTurnsThere, size = rcall("EXISTS", turns) == 1, 0
    groups, fields = {}, {}
    for at = from, to, AT_ONCE do
      local last = math.min(at + AT_ONCE - 1, to)
      local found = areTurnsThere and rcall("HMGET", turns, unpack(ARGV, at, last)) or {}
      for index = at, last do
        if index - from == ungroupedAfter then takePartUngrouped() end
        noteChanged(string.sub(ARGV[index], 2))
        if not found[index - at + 1] then
          local field = ARGV[index]
          size = size + 1
          groups[size], fields[size] = string.sub(field, 2), field
          first[#first + 1] = size
        end
      end
    end
    if ungroupedAfter == to - from + 1 then takePartUngrouped() end
    if to >= from then writeOrder() end
  end

  -- Writes what was gathered so far.
  function self.write()
    if #members > 0 then
      inPieces("ZADD", waiting, members)
      writeOrder()
      members = {}
    end
    inPieces("ZADD", base .. GROUP_CHANGED, changed or {})
    changed, isChanged = nil, isChanged and {}
    if #first == 0 then return end
    local known = rcall("HMGET", turns, "v", "s")
    local time, count, hasIdle = tonumber(known[1] or "0"), tonumber(known[2] or "0"), rcall("EXISTS", idle) == 1
    local exact = groupPlaces().exact
    if count == 0 then
      local register, name = groupPlaces().registerOfTurns(base)
      rcall("SADD", register, name)
    end
    local entries, turnsOf, now = {}, {}, exact(time)
    for position, index in ipairs(first) do
      local group, number, own = groups[index] or "", string.format("%014d", count + position), nil
      if hasIdle then own = tonumber(rcall("ZSCORE", idle, group) or "") end
      local at = 2 * position
      entries[at - 1] = own and own > time and exact(own) or now
      entries[at] = number .. group
      turnsOf[at - 1], turnsOf[at] = fields[index] or "g", "r" .. number
    end
    inPieces("ZADD", ready, entries)
    inPieces("HSET", turns, turnsOf)
    rcall("HSET", turns, "s", string.format("%.0f", count + #first))
    first = {}
  end

  return self
end
