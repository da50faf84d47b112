-- For how many ms a native worker that took a job is taken to be there.
local NATIVE_SEEN_FOR = 10000

-- Most jobs of groups at the head of the waiting list that a run has wait in their groups.
local MOST_SENT_BACK = 1000

-- Whether native workers take jobs of a queue, given when (epoch ms) one was last found to have taken a staged job.
local function areNativeThere(seenAt)
  return seenAt and storeTime() - tonumber(seenAt) < NATIVE_SEEN_FOR
end

-- Has native workers take part in the turns of groups, which know none: the job that is next stands where they take
-- theirs. Adds `areNativeThere` and `stage` to the turns.
--
-- staged: id and member (of the turn) of the job that stands there, if one does; seenAt (epoch ms), when a native
-- worker was last found to have taken one
local function takePartInTurns(queue, self, terms, staged)
  local prefix, places, seenAt = queue.prefix, groupPlaces(), staged.seenAt
  local turns = prefix .. GROUP_TURNS

  -- A staged job had its turn if a native worker took it. Else it goes back, as another may be next by now.
  local function endStaging(id, member)
    local left, groupOfLeft = places.stagedJob(prefix)
    if left then
      places.putStagedBack(prefix, left, groupOfLeft)
      return
    end
    rcall("HDEL", turns, "n", "m")
    seenAt = storeTime()
    rcall("HSET", turns, "w", string.format("%.0f", seenAt))
    local time, group = rcall("ZSCORE", prefix .. GROUP_READY, member), string.sub(member, 15)
    if time then
      local own = group == "" and {weight = 1} or terms.of(group)
      local cost = tonumber(rcall("HGET", prefix .. id, GROUP_COST) or "") or 1
      local turn = {member = member, group = group, time = tonumber(time), weight = own.weight, limiter = own.limiter}
      if turn.limiter then self.noteStart(turn, seenAt, terms.costOf(id)) end
      self.started(turn, id, cost)
      self.write()
    end
    if not rcall("LPOS", queue.active, id) then rcall("HDEL", prefix .. GROUP_RUNNING, id) end
    places.noteChanged(prefix, group)
  end

  -- A job of a group that a native client has wait as one without any goes to its group. Returns the first other one.
  local function firstUngrouped()
    for _ = 1, MOST_SENT_BACK do
      local id = rcall("LINDEX", queue.wait, -1)
      local group = id and rcall("HGET", prefix .. id, GROUP)
      if not group then return id or rcall("ZRANGE", queue.prioritized, 0, 0)[1] end
      rcall("RPOP", queue.wait)
      places.waitAgainInGroup(prefix, group, id)
    end
  end

  -- Has the job whose turn it is wait where native workers take theirs.
  function self.stage()
    local turn = self.next()
    local id = turn and turn.group == "" and firstUngrouped()
    if turn and turn.group ~= "" then
      id = idInGroup(turn.job)
      rcall("ZREM", prefix .. GROUP_WAITING, turn.job)
      rcall("RPUSH", queue.wait, id)
      rcall("HSET", prefix .. GROUP_RUNNING, id, turn.group)
      places.noteChanged(prefix, turn.group)
    end
    if not id then return end
    rcall("HSET", turns, "n", id, "m", turn.member)
    rcall("ZADD", queue.marker, 0, "0")
  end

  function self.areNativeThere() return areNativeThere(seenAt) end

  if staged.id then endStaging(staged.id, staged.member) end
end
