--- @include "rules/grouped-queue"
--- @include "rules/in-pieces"

-- Has many jobs wait in their groups at once: what rules/group-places does for one of them, with few commands for all.
--
-- isGrouped: whether the queue takes turns already
local function newcomersIn(base, meta, wait, prioritized, isGrouped)
  local turns, ready = base .. GROUP_TURNS, base .. GROUP_READY
  local waiting, idle = base .. GROUP_WAITING, base .. GROUP_IDLE
  local self, groups, states = {}, {}, {}
  -- Groups that take their first turn, in that order, and the jobs that wait.
  local first, isListed, members, lastOrder = {}, {}, {}, 0

  -- A job of a group is among those that are added.
  function self.note(group)
    if states[group] == nil then
      states[group], groups[#groups + 1] = false, group
    end
  end

  local function readStates()
    for from = 1, #groups, 1000 do
      local fields = {}
      for index = from, math.min(from + 999, #groups) do fields[#fields + 1] = "g" .. groups[index] end
      local found = rcall("HMGET", turns, unpack(fields))
      for index = 1, #fields do states[groups[from + index - 1]] = found[index] end
    end
  end

  -- Reads what is known of the groups, once all are noted.
  function self.know()
    checkGroupKeys(base)
    rcall("ZCARD", idle)
    if #groups > 0 then readStates() end
  end

  -- Whether a job of the group may wait already: a group with waiting jobs has a turn or is parked.
  function self.mayWait(group) return states[group] end

  local function takePart(group)
    if isListed[group] then return end
    isListed[group] = true
    if not states[group] then first[#first + 1] = group end
  end

  -- The first write. `last` is the last place that a job of the add has in its group.
  function self.begin(last)
    lastOrder = last
    if #groups == 0 and not isGrouped then return end
    groupPlaces().forgetTurns(base)
    if rcall("EXISTS", turns) == 0 then
      for group in pairs(states) do states[group] = false end
    end
    states[""] = rcall("HGET", turns, "g")
    if not isGrouped then
      rcall("HSET", meta, GROUPED, "1")
      if rcall("EXISTS", wait, prioritized) > 0 then takePart("") end
    end
    isGrouped = true
  end

  -- Has a job wait in its group, as the member of the set of those that wait.
  function self.wait(group, member)
    takePart(group)
    local size = #members
    members[size + 1], members[size + 2] = "0", member
  end

  -- A job without a group waits.
  function self.waitUngrouped()
    if isGrouped then takePart("") end
  end

  -- Writes what was gathered so far.
  function self.write()
    if #members > 0 then
      inPieces("ZADD", waiting, members)
      local given = tonumber(rcall("HGET", turns, "o") or 0)
      if lastOrder > given then rcall("HSET", turns, "o", string.format("%.0f", lastOrder)) end
      members = {}
    end
    if #first == 0 then return end
    local known = rcall("HMGET", turns, "v", "s")
    local time, count, hasIdle = tonumber(known[1] or "0"), tonumber(known[2] or "0"), rcall("EXISTS", idle) == 1
    local exact = groupPlaces().exact
    if count == 0 then
      local register, name = groupPlaces().registerOfTurns(base)
      rcall("SADD", register, name)
    end
    local entries, fields, now = {}, {}, exact(time)
    for index = 1, #first do
      local group, own = first[index], nil
      if hasIdle then own = tonumber(rcall("ZSCORE", idle, group) or "") end
      local number = string.format("%014.0f", count + index)
      entries[2 * index - 1], entries[2 * index] = own and own > time and exact(own) or now, number .. group
      fields[2 * index - 1], fields[2 * index] = "g" .. group, "r" .. number
      states[group] = "r" .. number
    end
    inPieces("ZADD", ready, entries)
    inPieces("HSET", turns, fields)
    rcall("HSET", turns, "s", string.format("%.0f", count + #first))
    first = {}
  end

  return self
end
