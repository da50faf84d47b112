-- For how many seconds the starts of a minute are kept: longer than those that shares are made of.
local SHARES_KEPT = 420

-- The turns of a queue in a run that takes jobs: part of rules/turns, which includes it. They are read for several groups
-- at once. Changes are buffered, and `write` writes them: before another rule reads or changes turns, and at the end of
-- the run.
--
-- ahead: how many groups are read at once
local function turnBookOf(prefix, ahead)
  local ready, turns = prefix .. GROUP_READY, prefix .. GROUP_TURNS
  local self = {}
  -- line: the next turns, in order; isWhole: no other group is ready. The other tables buffer changes: entered by member,
  -- states by group.
  local line, at, isWhole, number, time
  local left, entered, states, idle, running, starts, started

  local function begin()
    line, at, isWhole = {}, 1, false
    left, entered, states, idle, running, starts, started = {}, {}, {}, {}, {}, {}, 0
  end

  -- Of the queue, as of the last start.
  function self.time()
    if not time then
      local known = rcall("HMGET", turns, "v", "s")
      time, number = tonumber(known[1] or "0"), tonumber(known[2] or "0")
    end
    return time
  end

  local function writeReady()
    if left[1] then rcall("ZREM", ready, unpack(left)) end
    local entries = {}
    for member, score in pairs(entered) do
      entries[#entries + 1] = groupPlaces().exact(score)
      entries[#entries + 1] = member
    end
    if entries[1] then rcall("ZADD", ready, unpack(entries)) end
  end

  local function isBefore(turn, other)
    return turn.time < other.time or turn.time == other.time and turn.member < other.member
  end

  -- Whether the turn of a group has changed since the line was read.
  local function isOver(turn)
    local state = states[turn.group]
    return state ~= nil and state ~= "r" .. string.sub(turn.member, 1, 14)
  end

  -- The group whose turn it is, or nothing when none is ready. It stays in the line until its turn is over.
  function self.first()
    while true do
      while line[at] and isOver(line[at]) do at = at + 1 end
      if line[at] or isWhole then return line[at] end
      -- A run never buffers more than one command can write.
      self.write()
      local found = rcall("ZRANGE", ready, 0, ahead - 1, "WITHSCORES")
      line, at, isWhole = {}, 1, #found < 2 * ahead
      for index = 1, #found, 2 do
        line[#line + 1] = {member = found[index], group = string.sub(found[index], 15), time = tonumber(found[index + 1])}
      end
    end
  end

  -- The turn of a group, or nothing when it is not ready.
  function self.of(group)
    local state = states[group]
    if state == nil then state = rcall("HGET", turns, "g" .. group) end
    local member = groupPlaces().readyMember(group, state)
    if not member then return nil end
    return {member = member, group = group, time = entered[member] or tonumber(rcall("ZSCORE", ready, member))}
  end

  local function leave(turn, state)
    if entered[turn.member] then entered[turn.member] = nil else left[#left + 1] = turn.member end
    states[turn.group] = state
  end

  -- A group has no waiting job.
  function self.rest(turn)
    leave(turn, false)
    if turn.time > self.time() then
      idle[#idle + 1] = groupPlaces().exact(turn.time)
      idle[#idle + 1] = turn.group
    end
  end

  -- No job of a group may start until then (epoch ms), or until something changes.
  function self.park(turn, till)
    leave(turn, "p" .. groupPlaces().exact(turn.time))
    rcall("ZADD", prefix .. GROUP_PARKED, till and string.format("%.0f", till) or "+inf", turn.group)
    groupPlaces().notePark(prefix)
  end

  -- Has a group take its next turn at that time.
  local function takeTurnAt(turn, nextTime)
    number = number + 1
    local digits = string.format("%014.0f", number)
    local next = {member = digits .. turn.group, group = turn.group, time = nextTime}
    leave(turn, "r" .. digits)
    entered[next.member] = nextTime
    local last = #line
    if isWhole or line[last] and isBefore(next, line[last]) then
      while last >= at and isBefore(next, line[last]) do
        line[last + 1] = line[last]
        last = last - 1
      end
      line[last + 1] = next
    end
  end

  -- A job of a group starts: its next turn comes at a later time, if it has another waiting job.
  function self.start(turn, id, nextTime)
    self.time()
    time = turn.time
    if turn.isLast then self.rest({member = turn.member, group = turn.group, time = nextTime})
    else takeTurnAt(turn, nextTime) end
    started, starts[turn.group] = started + 1, (starts[turn.group] or 0) + 1
    if turn.group ~= "" then
      running[#running + 1] = id
      running[#running + 1] = turn.group
    end
  end

  -- Writes the running jobs, before they are counted.
  function self.writeRunning()
    if running[1] then rcall("HSET", prefix .. GROUP_RUNNING, unpack(running)) end
    running = {}
  end

  local function writeStarts()
    local shares = prefix .. GROUP_SHARES .. string.format("%.0f", math.floor(storeTime() / 60000))
    if rcall("HINCRBY", shares, OF_ALL_GROUPS, started) == started then rcall("EXPIRE", shares, SHARES_KEPT) end
    for group, count in pairs(starts) do rcall("HINCRBY", shares, group, count) end
  end

  function self.write()
    writeReady()
    self.writeRunning()
    local kept, gone = {}, {}
    if started > 0 then kept = {"v", groupPlaces().exact(time), "s", string.format("%.0f", number)} end
    for group, state in pairs(states) do
      if state then kept[#kept + 1], kept[#kept + 2] = "g" .. group, state
      else gone[#gone + 1] = "g" .. group end
    end
    if kept[1] then rcall("HSET", turns, unpack(kept)) end
    if gone[1] then rcall("HDEL", turns, unpack(gone)) end
    if idle[1] then groupPlaces().rememberIdle(prefix, idle) end
    if started > 0 then
      rcall("ZREMRANGEBYSCORE", prefix .. GROUP_IDLE, "-inf", groupPlaces().exact(time))
      writeStarts()
    end
    time = nil
    begin()
  end

  begin()
  groupPlaces().writeFirst(self.write)
  return self
end
