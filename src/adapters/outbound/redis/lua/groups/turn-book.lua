-- In TypeScript: domain/transitions/groups/turns
-- Most groups that are read at once, whatever a run passes over.
local MOST_AHEAD = 1000

-- The turns of a queue in a run that takes jobs: part of groups/turns, which includes it. They are read for several
-- groups at once. Changes are buffered, and `write` writes them: before another rule reads or changes turns, and at the
-- end of the run. `writeTaken` writes which jobs wait no more, before a rule reads or changes the active jobs.
--
-- ahead: how many groups are read at first
local function turnBookOf(prefix, ahead)
  local ready, turns, waiting = prefix .. GROUP_READY, prefix .. GROUP_TURNS, prefix .. GROUP_WAITING
  local self = {}
  -- line: the next turns, in order; isWhole: no other group is ready. The other tables buffer changes: entered by
  -- member; members (false for a group that is not ready), parked, heads (the last that was taken) and starts by group.
  local line, at, isWhole, number, time
  local left, entered, members, parked, idle, running, starts, started
  local heads, taken, activated = {}, {}, {}

  local function begin()
    line, at, isWhole = {}, 1, false
    left, entered, members, parked, idle, running, starts, started = {}, {}, {}, {}, {}, {}, {}, 0
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
    -- The store gets a number with all its digits.
    for member, score in pairs(entered) do entries[#entries + 1], entries[#entries + 2] = score, member end
    if entries[1] then rcall("ZADD", ready, unpack(entries)) end
  end

  local function isBefore(turn, other)
    return turn.time < other.time or turn.time == other.time and turn.member < other.member
  end

  -- Whether the turn of a group has changed since the line was read.
  local function isOver(turn)
    local member = members[turn.group]
    return member ~= nil and member ~= turn.member
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
        local member, time = found[index], tonumber(found[index + 1])
        line[#line + 1] = {member = member, group = string.sub(member, 15), time = time}
      end
      -- A run that passes over groups looks further ahead each time.
      ahead = math.min(2 * ahead, MOST_AHEAD)
    end
  end

  -- The turn of a group, or nothing when it is not ready.
  function self.of(group)
    local member = members[group]
    if member == nil then member = groupPlaces().readyMember(group, rcall("HGET", turns, "g" .. group)) end
    if not member then return nil end
    return {member = member, group = group, time = entered[member] or tonumber(rcall("ZSCORE", ready, member))}
  end

  -- The next job of a group, as the set of waiting jobs has it, and whether no other waits.
  function self.headOf(group)
    local after = heads[group]
    local first, second = unpack(rcall("ZRANGEBYLEX", waiting, after and "(" .. after or "[" .. group .. "\0",
      "[" .. group .. "\0:", "LIMIT", 0, 2))
    return first, not second
  end

  -- The job of a turn waits no more. Returns its id.
  function self.take(turn)
    local job, size = turn.job, #taken + 1
    -- As idInGroup, but once for each job of a run: where the group is known, it needs no pattern.
    local id = string.sub(job, #turn.group + 22)
    heads[turn.group], taken[size], activated[size] = job, job, id
    return id
  end

  function self.writeTaken()
    if not taken[1] then return end
    rcall("ZREM", waiting, unpack(taken))
    rcall("LPUSH", prefix .. "active", unpack(activated))
    for group in pairs(heads) do groupPlaces().noteChanged(prefix, group) end
    heads, taken, activated = {}, {}, {}
  end

  local function leave(turn, member)
    if entered[turn.member] then entered[turn.member] = nil else left[#left + 1] = turn.member end
    members[turn.group] = member
  end

  -- A group has no waiting job.
  function self.rest(turn)
    leave(turn, false)
    if turn.time > self.time() then
      idle[#idle + 1], idle[#idle + 2] = turn.time, turn.group
    end
  end

  -- No job of a group may start until then (epoch ms; infinity when that is not known), or until something changes.
  function self.park(turn, till)
    leave(turn, false)
    parked[turn.group] = "p" .. groupPlaces().exact(turn.time)
    rcall("ZADD", prefix .. GROUP_PARKED, till < math.huge and string.format("%.0f", till) or "+inf", turn.group)
    groupPlaces().notePark(prefix)
  end

  -- Has a group take its next turn at that time.
  local function takeTurnAt(turn, nextTime)
    number = number + 1
    local next = {member = string.format("%014.0f", number) .. turn.group, group = turn.group, time = nextTime}
    leave(turn, next.member)
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
    self.writeTaken()
    if running[1] then rcall("HSET", prefix .. GROUP_RUNNING, unpack(running)) end
    running = {}
  end

  -- One read and one write for all groups: a command for each would cost more than the rest of their turns.
  local function writeStarts()
    local shares = prefix .. GROUP_SHARES .. string.format("%.0f", math.floor(storeTime() / 60000))
    local groups, counts = {OF_ALL_GROUPS}, {started}
    for group, count in pairs(starts) do groups[#groups + 1], counts[#counts + 1] = group, count end
    local before, entries = rcall("HMGET", shares, unpack(groups)), {}
    for at, group in ipairs(groups) do
      entries[2 * at - 1], entries[2 * at] = group, (before[at] or 0) + counts[at]
    end
    rcall("HSET", shares, unpack(entries))
    if not before[1] then rcall("EXPIRE", shares, SHARES_KEPT) end
  end

  function self.write()
    self.writeTaken()
    writeReady()
    self.writeRunning()
    local kept, gone = {}, {}
    if started > 0 then kept = {"v", groupPlaces().exact(time), "s", string.format("%.0f", number)} end
    for group, member in pairs(members) do
      local state = member and "r" .. string.sub(member, 1, 14) or parked[group]
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
