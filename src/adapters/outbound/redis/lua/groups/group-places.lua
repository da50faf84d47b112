--- @include "groups/id-in-group"

local function isGroupedQueue(prefix) return rcall("HEXISTS", prefix .. "meta", GROUPED) == 1 end

local placesOfGroups

-- Where the jobs of groups wait, and which groups take turns. The definitions cost nothing in a run that does not ask
-- for them, as on a queue without groups.
local function groupPlaces()
  if placesOfGroups then return placesOfGroups end
  local self = {}

  -- Every other rule that reads or changes turns calls this first: a run that takes jobs buffers its changes of them.
  local writeTurns = function() end

  -- Whether a group is parked, by the prefix of its queue, where that is known.
  local parked = {}

  local function memberOf(group, order, id) return group .. "\0" .. order .. id end

  -- The virtual times are those of the memory store to the last bit.
  function self.exact(number) return string.format("%.17g", number) end

  -- The register of the queues whose groups take turns, and the name of the queue in it. A prefix has no colon.
  function self.registerOfTurns(prefix)
    local ofAll, name = string.match(prefix, "^([^:]*):(.*):$")
    return ofAll .. OWN_KEY .. QUEUES_IN_TURNS, name
  end

  --- @include "groups/changed-groups"

  -- When nothing waits and nothing runs, all groups begin anew, and nothing is left of them.
  function self.forgetTurns(prefix)
    if rcall("EXISTS", prefix .. GROUP_WAITING, prefix .. "active", prefix .. "wait", prefix .. "prioritized",
        prefix .. GATE_ENDING) > 0 then return end
    writeTurns()
    local forgotten = rcall("DEL", prefix .. GROUP_TURNS, prefix .. GROUP_READY, prefix .. GROUP_IDLE,
      prefix .. GROUP_PARKED, prefix .. GROUP_RUNNING)
    if forgotten > 0 then
      local register, name = self.registerOfTurns(prefix)
      rcall("SREM", register, name)
    end
  end

  -- Has a group with a waiting job take turns, once buffered changes are written: from its own virtual time on, but not
  -- from an earlier one than that of the queue. Its own is looked up unless it is given.
  local function becomeReady(prefix, group, own)
    local turns = prefix .. GROUP_TURNS
    -- A group stays among the idle ones until the queue has passed that time, which does no harm.
    own = own or tonumber(rcall("ZSCORE", prefix .. GROUP_IDLE, group) or "") or 0
    local time = math.max(own, tonumber(rcall("HGET", turns, "v") or "0"))
    local count = rcall("HINCRBY", turns, "s", 1)
    if count == 1 then
      local register, name = self.registerOfTurns(prefix)
      rcall("SADD", register, name)
    end
    local number = string.format("%014.0f", count)
    rcall("ZADD", prefix .. GROUP_READY, self.exact(time), number .. group)
    rcall("HSET", turns, "g" .. group, "r" .. number)
  end

  -- The member of a group among those that are ready, by what is stored of its turns; nothing when it is not ready.
  function self.readyMember(group, state)
    local number = string.match(state or "", "^r(%d+)$")
    return number and number .. group
  end

  -- Virtual times and groups, as ZADD takes them.
  function self.rememberIdle(prefix, timesAndGroups)
    local idle = prefix .. GROUP_IDLE
    rcall("ZADD", idle, unpack(timesAndGroups))
    rcall("ZREMRANGEBYRANK", idle, 0, -MOST_IDLE - 1)
  end

  -- Removes an empty group from the ready set.
  local function rest(prefix, group, time)
    rcall("HDEL", prefix .. GROUP_TURNS, "g" .. group)
    if time > tonumber(rcall("HGET", prefix .. GROUP_TURNS, "v") or "0") then
      self.rememberIdle(prefix, {self.exact(time), group})
    end
  end

  -- The same, after the group lost its last waiting job.
  local function restIfEmpty(prefix, group)
    local turns, ready = prefix .. GROUP_TURNS, prefix .. GROUP_READY
    if rcall("ZLEXCOUNT", prefix .. GROUP_WAITING, "[" .. group .. "\0", "[" .. group .. "\0:") > 0 then return end
    writeTurns()
    local state = rcall("HGET", turns, "g" .. group)
    local member = self.readyMember(group, state)
    if member and member ~= rcall("HGET", turns, "m") then
      local time = tonumber(rcall("ZSCORE", ready, member))
      rcall("ZREM", ready, member)
      rest(prefix, group, time)
    elseif state and string.sub(state, 1, 1) == "p" then
      rcall("ZREM", prefix .. GROUP_PARKED, group)
      rest(prefix, group, tonumber(string.sub(state, 2)))
    end
    self.forgetTurns(prefix)
  end

  -- The same of a group that may take turns already.
  local function takePart(prefix, group)
    writeTurns()
    if rcall("HEXISTS", prefix .. GROUP_TURNS, "g" .. group) == 0 then becomeReady(prefix, group) end
  end

  -- The same where a job waits that did not run until now.
  function self.beReady(prefix, group)
    self.forgetTurns(prefix)
    takePart(prefix, group)
  end

  -- A job without a group waits: these take their turn behind the groups that are ready.
  --
  -- hasRun: whether the job was running until now
  function self.ungroupedWaits(prefix, hasRun)
    if not isGroupedQueue(prefix) then return end
    if hasRun then takePart(prefix, "") else self.beReady(prefix, "") end
  end

  -- Has a group that was parked take turns again. Returns whether it was parked.
  function self.unpark(prefix, group)
    writeTurns()
    local state = rcall("HGET", prefix .. GROUP_TURNS, "g" .. group)
    if not state or string.sub(state, 1, 1) == "r" then return false end
    self.noteChanged(prefix, group)
    rcall("ZREM", prefix .. GROUP_PARKED, group)
    becomeReady(prefix, group, tonumber(string.sub(state, 2)))
    return true
  end

  --- @include "groups/group-waiting"

  --- @include "groups/staged-job"

  -- Takes a waiting job out of its group, if it has one. Returns how many were taken out.
  function self.takeOutOfGroup(prefix, id)
    local place = rcall("HMGET", prefix .. id, GROUP, GROUP_ORDER)
    if not place[1] or not place[2] then return 0 end
    if rcall("ZREM", prefix .. GROUP_WAITING, memberOf(place[1], place[2], id)) == 0 then
      if rcall("HGET", prefix .. GROUP_TURNS, "n") ~= id or not self.stagedJob(prefix) then return 0 end
      unstage(prefix, id, place[1])
    end
    self.noteChanged(prefix, place[1])
    restIfEmpty(prefix, place[1])
    return 1
  end

  -- A job of a group does not run any more: another one may start in its place. Returns whether one could not before.
  function self.freePlace(prefix, group)
    self.noteChanged(prefix, group)
    if parked[prefix] == nil then parked[prefix] = rcall("EXISTS", prefix .. GROUP_PARKED) == 1 end
    return parked[prefix] and self.unpark(prefix, group)
  end

  -- The same of a job that counted as running.
  function self.leaveGroup(prefix, group, id)
    rcall("HDEL", prefix .. GROUP_RUNNING, id)
    return self.freePlace(prefix, group)
  end

  -- Changes of turns that a run buffers are written by that function.
  function self.writeFirst(write) writeTurns = write end

  function self.notePark(prefix) parked[prefix] = true end

  placesOfGroups = self
  return self
end
