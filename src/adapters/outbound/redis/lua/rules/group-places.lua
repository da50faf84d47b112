local function isGroupedQueue(prefix) return rcall("HEXISTS", prefix .. "meta", GROUPED) == 1 end

-- The id of a job from what the set of waiting jobs has for it.
local function idInGroup(member) return string.match(member, "%z....................(.*)$") end

local placesOfGroups

-- Where the jobs of groups wait, and which groups take turns. The definitions cost nothing in a run that does not ask for
-- them, as on a queue without groups.
local function groupPlaces()
  if placesOfGroups then return placesOfGroups end
  -- The place of a waiting job in its group is an order of 20 digits: jobs that fell due come first, by that time, then
  -- those without a priority, then the others by theirs. In a band of equal ones the digits behind are numbers, so that a
  -- job can go ahead of all others as well as behind them.
  local MIDDLE_NUMBER = 500000000000

  -- Most groups without waiting jobs whose virtual time is remembered, as domain/attempts/turns has it.
  local MOST_IDLE = 10000

  local function memberOf(group, order, id) return group .. "\0" .. order .. id end

  -- The virtual times are those of the memory store to the last bit.
  local function exact(number) return string.format("%.17g", number) end

  -- The register of the queues whose groups take turns, and the name of the queue in it: neither has a colon.
  local function registerOfTurns(prefix)
    local ofAll, name = string.match(prefix, "^([^:]*):([^:]*):$")
    return ofAll .. OWN_KEY .. QUEUES_IN_TURNS, name
  end

  -- When nothing waits and nothing runs, all groups begin anew, and nothing is left of them.
  local function forgetTurns(prefix)
    if rcall("EXISTS", prefix .. GROUP_WAITING, prefix .. "active", prefix .. "wait", prefix .. "prioritized",
        prefix .. GATE_ENDING) > 0 then return end
    local forgotten = rcall("DEL", prefix .. GROUP_TURNS, prefix .. GROUP_READY, prefix .. GROUP_IDLE,
      prefix .. GROUP_PARKED, prefix .. GROUP_RUNNING)
    if forgotten > 0 then
      local register, name = registerOfTurns(prefix)
      rcall("SREM", register, name)
    end
  end

  -- Has a group with a waiting job take turns: from its own virtual time on, but not from an earlier one than that of the
  -- queue. Its own is looked up unless it is given.
  local function becomeReady(prefix, group, own)
    local turns = prefix .. GROUP_TURNS
    -- A group stays among the idle ones until the queue has passed that time, which does no harm.
    own = own or tonumber(rcall("ZSCORE", prefix .. GROUP_IDLE, group) or "") or 0
    local time = math.max(own, tonumber(rcall("HGET", turns, "v") or "0"))
    local count = rcall("HINCRBY", turns, "s", 1)
    if count == 1 then
      local register, name = registerOfTurns(prefix)
      rcall("SADD", register, name)
    end
    local number = string.format("%014.0f", count)
    rcall("ZADD", prefix .. GROUP_READY, exact(time), number .. group)
    rcall("HSET", turns, "g" .. group, "r" .. number)
  end

  -- The member of a group among those that are ready, or nothing.
  local function readyMember(prefix, group)
    local number = string.match(rcall("HGET", prefix .. GROUP_TURNS, "g" .. group) or "", "^r(%d+)$")
    return number and number .. group
  end

  -- Has a group without waiting jobs take no turns.
  local function rest(prefix, group, time)
    local idle = prefix .. GROUP_IDLE
    rcall("HDEL", prefix .. GROUP_TURNS, "g" .. group)
    if time > tonumber(rcall("HGET", prefix .. GROUP_TURNS, "v") or "0") then
      rcall("ZADD", idle, exact(time), group)
      rcall("ZREMRANGEBYRANK", idle, 0, -MOST_IDLE - 1)
    end
  end

  -- The same of a group that lost a waiting job, and has no other.
  local function restIfEmpty(prefix, group)
    local turns, ready = prefix .. GROUP_TURNS, prefix .. GROUP_READY
    if rcall("ZLEXCOUNT", prefix .. GROUP_WAITING, "[" .. group .. "\0", "[" .. group .. "\0:") > 0 then return end
    local member, state = readyMember(prefix, group), rcall("HGET", turns, "g" .. group)
    if member and member ~= rcall("HGET", turns, "m") then
      local time = tonumber(rcall("ZSCORE", ready, member))
      rcall("ZREM", ready, member)
      rest(prefix, group, time)
    elseif state and string.sub(state, 1, 1) == "p" then
      rcall("ZREM", prefix .. GROUP_PARKED, group)
      rest(prefix, group, tonumber(string.sub(state, 2)))
    end
    forgetTurns(prefix)
  end

  -- The same of a group that may take turns already.
  local function takePart(prefix, group)
    if rcall("HEXISTS", prefix .. GROUP_TURNS, "g" .. group) == 0 then becomeReady(prefix, group) end
  end

  -- The same where a job waits that did not run until now.
  local function beReady(prefix, group)
    forgetTurns(prefix)
    takePart(prefix, group)
  end

  -- Has a group that was parked take turns again. Returns whether it was parked.
  local function unpark(prefix, group)
    local state = rcall("HGET", prefix .. GROUP_TURNS, "g" .. group)
    if not state or string.sub(state, 1, 1) == "r" then return false end
    rcall("ZREM", prefix .. GROUP_PARKED, group)
    becomeReady(prefix, group, tonumber(string.sub(state, 2)))
    return true
  end

  local function putInGroup(prefix, group, id, order)
    rcall("ZADD", prefix .. GROUP_WAITING, 0, memberOf(group, order, id))
    rcall("HSET", prefix .. id, GROUP_ORDER, order)
  end

  -- Has a job wait at an end of those of its group and priority. A job keeps its place while it runs, so no number is given
  -- twice as long as one waits or runs.
  local function waitInGroup(prefix, group, id, priority, isAhead)
    beReady(prefix, group)
    local count = rcall("HINCRBY", prefix .. GROUP_TURNS, "o", 1)
    local number = MIDDLE_NUMBER + (isAhead and -count or count)
    putInGroup(prefix, group, id, string.format("%s%07.0f%012.0f", priority > 0 and "2" or "1", priority, number))
  end

  -- Has a job that fell due wait: one without a priority ahead of the others, in the order of those times. The score is
  -- that of the delayed job.
  local function waitWhenDue(prefix, group, id, priority, score)
    if priority > 0 then
      waitInGroup(prefix, group, id, priority, false)
    else
      beReady(prefix, group)
      putInGroup(prefix, group, id, string.format("0%019.0f", score))
    end
  end

  -- The order of a job that goes ahead of all others of its group, even of those that fell due.
  local AHEAD_OF_ALL = "00000000000000000000"

  -- The defaults of groups, as JSON: those of the last claim, or else of the last look for native workers.
  local function lastDefaults(prefix)
    local known = rcall("HMGET", prefix .. GROUP_TURNS, "d", "l")
    return known[1] or known[2]
  end

  local function areOrdered(prefix)
    local defaults = lastDefaults(prefix)
    return defaults and string.find(defaults, '"ordered":"', 1, true) and true
  end

  -- Has a job that was active wait where it was taken. In an ordered group none may overtake it.
  local function waitAgainInGroup(prefix, group, id)
    local order = areOrdered(prefix) and AHEAD_OF_ALL or rcall("HGET", prefix .. id, GROUP_ORDER)
    takePart(prefix, group)
    if order then putInGroup(prefix, group, id, order)
    else waitInGroup(prefix, group, id, tonumber(rcall("HGET", prefix .. id, "priority") or "") or 0, true) end
  end

  --- @include "rules/staged-job"

  -- Takes a waiting job out of its group, if it has one. Returns how many were taken out.
  local function takeOutOfGroup(prefix, id)
    local place = rcall("HMGET", prefix .. id, GROUP, GROUP_ORDER)
    if not place[1] or not place[2] then return 0 end
    if rcall("ZREM", prefix .. GROUP_WAITING, memberOf(place[1], place[2], id)) == 0 then
      if rcall("HGET", prefix .. GROUP_TURNS, "n") ~= id or not stagedJob(prefix) then return 0 end
      unstage(prefix, id, place[1])
    end
    restIfEmpty(prefix, place[1])
    return 1
  end

  -- A job of a group does not run any more: another one may start in its place. Returns whether one could not before.
  local function leaveGroup(prefix, group, id)
    rcall("HDEL", prefix .. GROUP_RUNNING, id)
    return unpark(prefix, group)
  end

  placesOfGroups = {
    exact = exact,
    lastDefaults = lastDefaults,
    registerOfTurns = registerOfTurns,
    forgetTurns = forgetTurns,
    beReady = beReady,
    readyMember = readyMember,
    rest = rest,
    unpark = unpark,
    waitInGroup = waitInGroup,
    waitWhenDue = waitWhenDue,
    waitAgainInGroup = waitAgainInGroup,
    stagedJob = stagedJob,
    putStagedBack = putStagedBack,
    unstageGroup = unstageGroup,
    takeOutOfGroup = takeOutOfGroup,
    leaveGroup = leaveGroup,
  }
  return placesOfGroups
end
