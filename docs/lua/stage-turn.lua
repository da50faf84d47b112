-- Has a job of a queue with groups wait where native workers take theirs: the one whose turn it is, unless one is there.
-- Has groups go on whose jobs native workers ended. Returns 1 when native workers take jobs of the queue, else 0.
--
-- KEYS[1] meta
--
-- ARGV[1] job key prefix
-- ARGV[2] timestamp, epoch ms
-- ARGV[3] what holds for groups without settings, as JSON; empty without

local rcall = redis.call
-- The keys of a queue by their names, and the time of the run (epoch ms), for the rules that start and end jobs.
local function queueOf(prefix, timestamp)
  return {
    prefix = prefix,
    timestamp = timestamp,
    wait = prefix .. "wait",
    active = prefix .. "active",
    prioritized = prefix .. "prioritized",
    delayed = prefix .. "delayed",
    stalled = prefix .. "stalled",
    events = prefix .. "events",
    meta = prefix .. "meta",
    priorityCounter = prefix .. "pc",
    marker = prefix .. "marker",
    completed = prefix .. "completed",
    failed = prefix .. "failed",
    limiter = prefix .. "limiter",
  }
end
-- The id of a job from what the set of the waiting jobs of groups has for it: the group, a zero, an order of 20 digits, the
-- id.
local function idInGroup(member) return string.match(member, "%z....................(.*)$") end

local function isGroupedQueue(prefix) return rcall("HEXISTS", prefix .. "meta", "jobgate:groups") == 1 end

local placesOfGroups

-- Where the jobs of groups wait, and which groups take turns. The definitions cost nothing in a run that does not ask for
-- them, as on a queue without groups.
local function groupPlaces()
  if placesOfGroups then return placesOfGroups end
  -- Most groups without waiting jobs whose virtual time is remembered, as domain/attempts/turns has it.
  local MOST_IDLE = 10000

  -- Every other rule that reads or changes turns calls this first: a run that takes jobs buffers its changes of them.
  local writeTurns = function() end

  -- Whether a group is parked, by the prefix of its queue, where that is known.
  local parked = {}

  local function memberOf(group, order, id) return group .. "\0" .. order .. id end

  -- The virtual times are those of the memory store to the last bit.
  local function exact(number) return string.format("%.17g", number) end

  -- The register of the queues whose groups take turns, and the name of the queue in it: neither has a colon.
  local function registerOfTurns(prefix)
    local ofAll, name = string.match(prefix, "^([^:]*):([^:]*):$")
    return ofAll .. "::jobgate:" .. "queues-in-turns", name
  end

  -- When nothing waits and nothing runs, all groups begin anew, and nothing is left of them.
  local function forgetTurns(prefix)
    if rcall("EXISTS", prefix .. "jobgate:group-waiting", prefix .. "active", prefix .. "wait", prefix .. "prioritized",
        prefix .. "jobgate:gate-ending") > 0 then return end
    writeTurns()
    local forgotten = rcall("DEL", prefix .. "jobgate:group-turns", prefix .. "jobgate:group-ready", prefix .. "jobgate:group-idle",
      prefix .. "jobgate:group-parked", prefix .. "jobgate:group-running")
    if forgotten > 0 then
      local register, name = registerOfTurns(prefix)
      rcall("SREM", register, name)
    end
  end

  -- Has a group with a waiting job take turns, once buffered changes are written: from its own virtual time on, but not from an earlier one than that of the
  -- queue. Its own is looked up unless it is given.
  local function becomeReady(prefix, group, own)
    local turns = prefix .. "jobgate:group-turns"
    -- A group stays among the idle ones until the queue has passed that time, which does no harm.
    own = own or tonumber(rcall("ZSCORE", prefix .. "jobgate:group-idle", group) or "") or 0
    local time = math.max(own, tonumber(rcall("HGET", turns, "v") or "0"))
    local count = rcall("HINCRBY", turns, "s", 1)
    if count == 1 then
      local register, name = registerOfTurns(prefix)
      rcall("SADD", register, name)
    end
    local number = string.format("%014.0f", count)
    rcall("ZADD", prefix .. "jobgate:group-ready", exact(time), number .. group)
    rcall("HSET", turns, "g" .. group, "r" .. number)
  end

  -- The member of a group among those that are ready, by what is stored of its turns; nothing when it is not ready.
  local function readyMember(group, state)
    local number = string.match(state or "", "^r(%d+)$")
    return number and number .. group
  end

  -- Virtual times and groups, as ZADD takes them.
  local function rememberIdle(prefix, timesAndGroups)
    local idle = prefix .. "jobgate:group-idle"
    rcall("ZADD", idle, unpack(timesAndGroups))
    rcall("ZREMRANGEBYRANK", idle, 0, -MOST_IDLE - 1)
  end

  -- Has a group without waiting jobs take no turns.
  local function rest(prefix, group, time)
    rcall("HDEL", prefix .. "jobgate:group-turns", "g" .. group)
    if time > tonumber(rcall("HGET", prefix .. "jobgate:group-turns", "v") or "0") then
      rememberIdle(prefix, {exact(time), group})
    end
  end

  -- The same of a group that lost a waiting job, and has no other.
  local function restIfEmpty(prefix, group)
    local turns, ready = prefix .. "jobgate:group-turns", prefix .. "jobgate:group-ready"
    if rcall("ZLEXCOUNT", prefix .. "jobgate:group-waiting", "[" .. group .. "\0", "[" .. group .. "\0:") > 0 then return end
    writeTurns()
    local state = rcall("HGET", turns, "g" .. group)
    local member = readyMember(group, state)
    if member and member ~= rcall("HGET", turns, "m") then
      local time = tonumber(rcall("ZSCORE", ready, member))
      rcall("ZREM", ready, member)
      rest(prefix, group, time)
    elseif state and string.sub(state, 1, 1) == "p" then
      rcall("ZREM", prefix .. "jobgate:group-parked", group)
      rest(prefix, group, tonumber(string.sub(state, 2)))
    end
    forgetTurns(prefix)
  end

  -- The same of a group that may take turns already.
  local function takePart(prefix, group)
    writeTurns()
    if rcall("HEXISTS", prefix .. "jobgate:group-turns", "g" .. group) == 0 then becomeReady(prefix, group) end
  end

  -- The same where a job waits that did not run until now.
  local function beReady(prefix, group)
    forgetTurns(prefix)
    takePart(prefix, group)
  end

  -- Has a group that was parked take turns again. Returns whether it was parked.
  local function unpark(prefix, group)
    writeTurns()
    local state = rcall("HGET", prefix .. "jobgate:group-turns", "g" .. group)
    if not state or string.sub(state, 1, 1) == "r" then return false end
    rcall("ZREM", prefix .. "jobgate:group-parked", group)
    becomeReady(prefix, group, tonumber(string.sub(state, 2)))
    return true
  end

  -- Where the jobs of a group wait: part of rules/group-places, which includes it.

  -- The place of a waiting job in its group is an order of 20 digits: jobs that fell due come first, by that time, then
  -- those without a priority, then the others by theirs. In a band of equal ones the digits behind are numbers, so that a
  -- job can go ahead of all others as well as behind them.
  local MIDDLE_NUMBER = 500000000000

  local function putInGroup(prefix, group, id, order)
    rcall("ZADD", prefix .. "jobgate:group-waiting", 0, memberOf(group, order, id))
    rcall("HSET", prefix .. id, "jobgate:group-order", order)
  end

  -- Has a job wait at an end of those of its group and priority. A job keeps its place while it runs, so no number is given
  -- twice as long as one waits or runs.
  local function waitInGroup(prefix, group, id, priority, isAhead)
    beReady(prefix, group)
    local count = rcall("HINCRBY", prefix .. "jobgate:group-turns", "o", 1)
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
    local known = rcall("HMGET", prefix .. "jobgate:group-turns", "d", "l")
    return known[1] or known[2]
  end

  local function areOrdered(prefix)
    local defaults = lastDefaults(prefix)
    return defaults and string.find(defaults, '"ordered":"', 1, true) and true
  end

  -- Has a job that was active wait where it was taken. In an ordered group none may overtake it.
  local function waitAgainInGroup(prefix, group, id)
    local order = areOrdered(prefix) and AHEAD_OF_ALL or rcall("HGET", prefix .. id, "jobgate:group-order")
    takePart(prefix, group)
    if order then putInGroup(prefix, group, id, order)
    else waitInGroup(prefix, group, id, tonumber(rcall("HGET", prefix .. id, "priority") or "") or 0, true) end
  end

  -- The job that is staged for native workers: part of rules/group-places, which includes it.

  -- How far from the end where jobs are taken a staged job may be, when native clients put others ahead of it.
  local MOST_AHEAD_OF_STAGED = 100

  -- The job that is staged for native workers and its group, as long as none of them has taken it; or nothing.
  local function stagedJob(prefix)
    local staged = rcall("HMGET", prefix .. "jobgate:group-turns", "n", "m")
    local id, group = staged[1], staged[2] and string.sub(staged[2], 15)
    if not id then return nil end
    if rcall("LPOS", prefix .. "wait", id, "RANK", -1, "MAXLEN", MOST_AHEAD_OF_STAGED) or
        group == "" and rcall("ZSCORE", prefix .. "prioritized", id) then return id, group end
  end

  -- A staged job is staged no more. One of a group is out of any place from then on.
  local function unstage(prefix, id, group)
    rcall("HDEL", prefix .. "jobgate:group-turns", "n", "m")
    if group == "" then return end
    rcall("LREM", prefix .. "wait", -1, id)
    rcall("HDEL", prefix .. "jobgate:group-running", id)
  end

  -- A staged job of a group waits in its group again.
  local function putStagedBack(prefix, id, group)
    unstage(prefix, id, group)
    if group ~= "" then
      rcall("ZADD", prefix .. "jobgate:group-waiting", 0, memberOf(group, rcall("HGET", prefix .. id, "jobgate:group-order"), id))
    end
  end

  -- The same of a group of which no job may start.
  local function unstageGroup(prefix, group)
    local id, ofGroup = stagedJob(prefix)
    if id and ofGroup == group then putStagedBack(prefix, id, group) end
  end

  -- Takes a waiting job out of its group, if it has one. Returns how many were taken out.
  local function takeOutOfGroup(prefix, id)
    local place = rcall("HMGET", prefix .. id, "jobgate:group", "jobgate:group-order")
    if not place[1] or not place[2] then return 0 end
    if rcall("ZREM", prefix .. "jobgate:group-waiting", memberOf(place[1], place[2], id)) == 0 then
      if rcall("HGET", prefix .. "jobgate:group-turns", "n") ~= id or not stagedJob(prefix) then return 0 end
      unstage(prefix, id, place[1])
    end
    restIfEmpty(prefix, place[1])
    return 1
  end

  -- A job of a group does not run any more: another one may start in its place. Returns whether one could not before.
  local function freePlace(prefix, group)
    if parked[prefix] == nil then parked[prefix] = rcall("EXISTS", prefix .. "jobgate:group-parked") == 1 end
    return parked[prefix] and unpark(prefix, group)
  end

  -- The same of a job that counted as running.
  local function leaveGroup(prefix, group, id)
    rcall("HDEL", prefix .. "jobgate:group-running", id)
    return freePlace(prefix, group)
  end

  placesOfGroups = {
    exact = exact,
    lastDefaults = lastDefaults,
    registerOfTurns = registerOfTurns,
    forgetTurns = forgetTurns,
    beReady = beReady,
    writeFirst = function(write) writeTurns = write end,
    readyMember = readyMember,
    notePark = function(prefix) parked[prefix] = true end,
    rememberIdle = rememberIdle,
    unpark = unpark,
    waitInGroup = waitInGroup,
    waitWhenDue = waitWhenDue,
    waitAgainInGroup = waitAgainInGroup,
    stagedJob = stagedJob,
    putStagedBack = putStagedBack,
    unstageGroup = unstageGroup,
    takeOutOfGroup = takeOutOfGroup,
    freePlace = freePlace,
    leaveGroup = leaveGroup,
  }
  return placesOfGroups
end
-- The time on the store's own clock, which counts for all replicas, in epoch ms.
local function storeTime()
    local time = rcall("TIME")
    return tonumber(time[1]) * 1000 + tonumber(time[2]) / 1000
end

-- By how much a limiter's window is stretched, as limiterWindow has it.
local STRETCHED_BY, LONGEST_STRETCH = 1 / 20, 50

local function windowOf(limiter)
  return math.ceil(limiter.duration + math.min(limiter.duration * STRETCHED_BY, LONGEST_STRETCH))
end

-- Among the starts of groups: those of all together. No group has this id.
local OF_ALL_GROUPS = "\127"

-- A colon in the name of a key would make it that of another job.
local function groupStarts(prefix, group) return prefix .. "jobgate:group-starts-" .. string.gsub(group, ":", "\1") end

-- What holds for the groups of a queue, as domain/groups/group-settings has it, and why no job of one starts, as
-- domain/attempts/turns has it. What all groups share is read once in a run.
--
-- defaults: as JSON, or nothing; writeRunning: called before the jobs that run are counted, where a run keeps some back
local function groupTerms(prefix, defaults, writeRunning)
  local terms, counts, hasSettings, hasStates, ofAll, areHeld = {}, nil, nil, nil, nil, nil

  local function termsOfAll()
    return {concurrency = ofAll.concurrency, limiter = ofAll.limiter, maxWaiting = ofAll.maxWaiting,
      ordered = ofAll.ordered or false, weight = 1}
  end
  local withoutSettings

  function terms.of(group)
    if not ofAll then
      ofAll = (defaults and defaults ~= "" and cjson.decode(defaults)) or {}
      withoutSettings = termsOfAll()
    end
    if hasSettings == nil then hasSettings = rcall("EXISTS", prefix .. "jobgate:group-settings") == 1 end
    local text = hasSettings and rcall("HGET", prefix .. "jobgate:group-settings", group)
    local settings = text and cjson.decode(text)
    if settings and settings.expires and settings.expires <= storeTime() then
      rcall("HDEL", prefix .. "jobgate:group-settings", group)
      settings = nil
    end
    if not settings then return withoutSettings end
    local merged = termsOfAll()
    for _, name in ipairs({"concurrency", "limiter", "maxWaiting", "weight"}) do
      if settings[name] ~= nil then merged[name] = settings[name] end
    end
    merged.expires = settings.expires
    return merged
  end

  local function count(groups)
    for index = 1, #groups do
      local group = groups[index]
      counts[group or ""] = (counts[group or ""] or 0) + 1
    end
  end

  -- How many jobs of a group run: counted from those that are active, and the calls of cancelled jobs that still end.
  function terms.running(group)
    if not counts then
      counts = {}
      if writeRunning then writeRunning() end
      local ids, running = rcall("LRANGE", prefix .. "active", 0, -1), prefix .. "jobgate:group-running"
      for from = 1, #ids, 1000 do
        count(rcall("HMGET", running, unpack(ids, from, math.min(#ids, from + 999))))
      end
      local tokens = rcall("ZRANGEBYSCORE", prefix .. "jobgate:gate-ending", storeTime(), "+inf")
      for _, token in ipairs(tokens) do 
        local group = rcall("HGET", running, "!" .. token)
        if group then count({group}) end
      end
    end
    return counts[group] or 0
  end

  -- A job of the group starts in this run.
  function terms.noteStart(group)
    if counts then counts[group] = (counts[group] or 0) + 1 end
  end

  -- The failed job that blocks the group, or nothing.
  local function failedJob(group)
    local id = rcall("HGET", prefix .. "jobgate:group-blocks", "f" .. group)
    if id and not rcall("ZSCORE", prefix .. "failed", id) then
      rcall("HDEL", prefix .. "jobgate:group-blocks", "f" .. group)
      return nil
    end
    return id
  end

  -- The job that is to be tried again before the others of the group, and when, or nothing.
  local function retriedJob(group)
    local id = rcall("HGET", prefix .. "jobgate:group-blocks", "h" .. group)
    local score = id and rcall("ZSCORE", prefix .. "delayed", id)
    if id and not score then rcall("HDEL", prefix .. "jobgate:group-blocks", "h" .. group) end
    if score then return id, math.floor(tonumber(score) / 0x1000) end
  end

  function terms.isPaused(group)
    if hasStates == nil then hasStates = rcall("EXISTS", prefix .. "jobgate:group-states") == 1 end
    return hasStates and rcall("HEXISTS", prefix .. "jobgate:group-states", "p" .. group) == 1
  end

  -- Until when the group is held, or nothing.
  function terms.heldUntil(group)
    if areHeld == nil then areHeld = rcall("EXISTS", prefix .. "jobgate:group-held") == 1 end
    local till = areHeld and tonumber(rcall("ZSCORE", prefix .. "jobgate:group-held", group) or "")
    return till and till > storeTime() and till or nil
  end

  -- Why no job of the group starts, until when where that is known, and because of which job; or nothing.
  function terms.blockedBy(group, own)
    if terms.isPaused(group) then return "paused" end
    local till = terms.heldUntil(group)
    if till then return "held", till end
    if own.ordered == "block" then
      local id = failedJob(group)
      if id then return "failed-job", nil, id end
    end
    if own.ordered then
      local id, dueAt = retriedJob(group)
      if id and dueAt > storeTime() then return "failed-job", dueAt, id end
    end
    local most = own.ordered and 1 or own.concurrency
    if most and terms.running(group) >= most then return "concurrency" end
    if own.limiter then
      local last = tonumber(rcall("LINDEX", groupStarts(prefix, group), -own.limiter.max) or "")
      local now = storeTime()
      if last and last <= now and last + windowOf(own.limiter) > now then
        return "limiter", math.ceil(last + windowOf(own.limiter))
      end
    end
    return nil
  end

  return terms
end
-- For how many seconds the starts of a minute are kept: longer than those that shares are made of.
local SHARES_KEPT = 420

-- Most groups that are read at once, whatever a run passes over.
local MOST_AHEAD = 1000

-- The turns of a queue in a run that takes jobs: part of rules/turns, which includes it. They are read for several groups
-- at once. Changes are buffered, and `write` writes them: before another rule reads or changes turns, and at the end of
-- the run. `writeTaken` writes which jobs wait no more, before a rule reads or changes the active jobs.
--
-- ahead: how many groups are read at first
local function turnBookOf(prefix, ahead)
  local ready, turns, waiting = prefix .. "jobgate:group-ready", prefix .. "jobgate:group-turns", prefix .. "jobgate:group-waiting"
  local self = {}
  -- line: the next turns, in order; isWhole: no other group is ready. The other tables buffer changes: entered by member;
  -- members (false for a group that is not ready), parked, heads (the last that was taken) and starts by group.
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
        line[#line + 1] = {member = found[index], group = string.sub(found[index], 15), time = tonumber(found[index + 1])}
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

  -- No job of a group may start until then (epoch ms), or until something changes.
  function self.park(turn, till)
    leave(turn, false)
    parked[turn.group] = "p" .. groupPlaces().exact(turn.time)
    rcall("ZADD", prefix .. "jobgate:group-parked", till and string.format("%.0f", till) or "+inf", turn.group)
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
    if running[1] then rcall("HSET", prefix .. "jobgate:group-running", unpack(running)) end
    running = {}
  end

  -- One read and one write for all groups: a command for each would cost more than the rest of their turns.
  local function writeStarts()
    local shares = prefix .. "jobgate:group-shares-" .. string.format("%.0f", math.floor(storeTime() / 60000))
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
      rcall("ZREMRANGEBYSCORE", prefix .. "jobgate:group-idle", "-inf", groupPlaces().exact(time))
      writeStarts()
    end
    time = nil
    begin()
  end

  begin()
  groupPlaces().writeFirst(self.write)
  return self
end
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
-- staged: id and member (of the turn) of the job that stands there, if one does; seenAt (epoch ms), when a native worker
-- was last found to have taken one
local function takePartInTurns(queue, self, terms, staged)
  local prefix, places, seenAt = queue.prefix, groupPlaces(), staged.seenAt
  local turns = prefix .. "jobgate:group-turns"

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
    local time, group = rcall("ZSCORE", prefix .. "jobgate:group-ready", member), string.sub(member, 15)
    if time then
      local own = group == "" and {weight = 1} or terms.of(group)
      local cost = tonumber(rcall("HGET", prefix .. id, "jobgate:group-cost") or "") or 1
      self.started({member = member, group = group, time = tonumber(time), weight = own.weight, limiter = own.limiter},
        id, cost)
      self.write()
    end
    if not rcall("LPOS", queue.active, id) then rcall("HDEL", prefix .. "jobgate:group-running", id) end
  end

  -- A job of a group that a native client has wait as one without any goes to its group. Returns the first other one.
  local function firstUngrouped()
    for _ = 1, MOST_SENT_BACK do
      local id = rcall("LINDEX", queue.wait, -1)
      local group = id and rcall("HGET", prefix .. id, "jobgate:group")
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
      rcall("ZREM", prefix .. "jobgate:group-waiting", turn.job)
      rcall("RPUSH", queue.wait, id)
      rcall("HSET", prefix .. "jobgate:group-running", id, turn.group)
    end
    if not id then return end
    rcall("HSET", turns, "n", id, "m", turn.member)
    rcall("ZADD", queue.marker, 0, "0")
  end

  function self.areNativeThere() return areNativeThere(seenAt) end

  if staged.id then endStaging(staged.id, staged.member) end
end

-- Most delayed jobs that a run looks at to have those of groups wait, which are due.
local MOST_DUE = 1000

-- Most groups that a run has take turns again because their time has come.
local MOST_UNPARKED = 100

-- The score of a parked group that may take turns again: a time that has come. The score of one that waits is later.
local FREED = 1

-- How many scores one command writes.
local SCORES_AT_ONCE = 1000

-- Most groups that a run passes over because none of their jobs may start. Beyond it, the claimant is woken to ask again.
local MOST_PASSED = 1000

-- Whose turn it is among the groups of a queue: start-time fair queuing, as domain/attempts/turns has it. A group of which
-- no job may start is parked when its turn comes, and costs nothing from then on.
--
-- defaults: what holds for groups without settings, as JSON, or nothing; ahead: how many groups are read at first; keptAs:
-- the field of the turns that keeps the defaults, unless it is that of claims
local function turnsOf(queue, defaults, ahead, keptAs)
  local prefix, places = queue.prefix, groupPlaces()
  local parked, turns = prefix .. "jobgate:group-parked", prefix .. "jobgate:group-turns"
  local book = turnBookOf(prefix, ahead)
  local terms = groupTerms(prefix, defaults, book.writeRunning)
  local due = (queue.timestamp + 1) * 0x1000 - 1
  local self, passed = {}, 0

  local function moveDueJobs()
    local found = rcall("ZRANGEBYSCORE", queue.delayed, 0, due, "WITHSCORES", "LIMIT", 0, MOST_DUE)
    for at = 1, #found, 2 do
      local id = found[at]
      local record = rcall("HMGET", prefix .. id, "jobgate:group", "priority")
      if record[1] then
        rcall("ZREM", queue.delayed, id)
        rcall("HSET", prefix .. id, "delay", 0)
        if rcall("HGET", prefix .. "jobgate:group-blocks", "h" .. record[1]) == id then places.waitAgainInGroup(prefix, record[1], id)
        else places.waitWhenDue(prefix, record[1], id, tonumber(record[2] or "") or 0, tonumber(found[at + 1])) end
        places.unpark(prefix, record[1])
        rcall("XADD", queue.events, "*", "event", "waiting", "jobId", id, "prev", "delayed", "group", record[1])
      end
    end
  end

  -- Whether a job without a group may start.
  local function hasUngrouped()
    return rcall("EXISTS", queue.wait, queue.prioritized) > 0 or
      #rcall("ZRANGEBYSCORE", queue.delayed, 0, due, "LIMIT", 0, 1) > 0
  end

  -- The turn of the group whose job is next: its id, virtual time and, unless it is that of the jobs without a group, the
  -- job and whether it is the last one that waits. Nothing when no job may start, or when the run has passed over too many
  -- groups, which sets `mayHaveMore`.
  function self.next()
    while true do
      if passed == MOST_PASSED then
        self.mayHaveMore = true
        return nil
      end
      local turn = book.first()
      if not turn then return nil end
      if turn.group == "" then
        if hasUngrouped() then
          turn.weight = 1
          return turn
        end
        book.rest(turn)
      else
        turn.job, turn.isLast = book.headOf(turn.group)
        if not turn.job then
          book.rest(turn)
          passed = passed + 1
        else
          local own = terms.of(turn.group)
          local reason, till = terms.blockedBy(turn.group, own)
          if not reason then
            turn.weight, turn.limiter = own.weight, own.limiter
            return turn
          end
          if own.expires and (not till or own.expires < till) then till = own.expires end
          book.park(turn, till)
          passed = passed + 1
        end
      end
    end
  end

  -- A turn of one group, out of turn: its job joins a call that had one of the group when it was its turn. Nothing when
  -- none of its jobs may start.
  function self.of(group)
    local turn = book.of(group)
    if not turn then return nil end
    if group == "" then
      turn.weight = 1
      return hasUngrouped() and turn or nil
    end
    turn.job, turn.isLast = book.headOf(group)
    local own = turn.job and terms.of(group)
    if not own or terms.blockedBy(group, own) then return nil end
    turn.weight, turn.limiter = own.weight, own.limiter
    return turn
  end

  -- Makes the job of a turn active, once the book is written. Returns its id.
  self.take = book.take

  -- Makes the jobs active that were taken. To be called before active jobs are read or changed.
  self.writeTaken = book.writeTaken

  -- The job of a turn starts.
  function self.started(turn, id, cost)
    book.start(turn, id, turn.time + cost / turn.weight)
    if turn.group == "" then return end
    terms.noteStart(turn.group)
    if turn.limiter then
      local now, starts, window = storeTime(), groupStarts(prefix, turn.group), windowOf(turn.limiter)
      rcall("RPUSH", starts, string.format("%.3f", now))
      for _ = 1, 2 do
        if now - tonumber(rcall("LINDEX", starts, 0)) < window then break end
        rcall("LPOP", starts)
      end
      rcall("PEXPIRE", starts, window)
    end
  end

  -- Writes what changed. To be called at the end of a run.
  self.write = book.write

  -- Other terms may free any group: the time of each has come, and the next runs have a bounded number take turns again.
  local function freeAll()
    local scores = {}
    for _, group in ipairs(rcall("ZRANGEBYSCORE", parked, "(" .. FREED, "+inf")) do
      scores[#scores + 1], scores[#scores + 2] = FREED, group
      if #scores == 2 * SCORES_AT_ONCE then
        rcall("ZADD", parked, unpack(scores))
        scores = {}
      end
    end
    if scores[1] then rcall("ZADD", parked, unpack(scores)) end
  end

  -- When the next group may start a job again (epoch ms), or nothing.
  function self.nextAt()
    local first = rcall("ZRANGE", parked, 0, 0, "WITHSCORES")
    local at = first[2] and tonumber(first[2])
    return at and at < math.huge and at or nil
  end

  keptAs = keptAs or "d"
  local known = rcall("HMGET", turns, keptAs, "n", "m", "w")
  local before = known[1]
  takePartInTurns(queue, self, terms, {id = known[2], member = known[3], seenAt = known[4]})
  if (defaults or "") ~= (before or "") then
    rcall("HSET", turns, keptAs, defaults or "")
    freeAll()
  end
  moveDueJobs()
  for _, group in ipairs(rcall("ZRANGEBYSCORE", parked, "-inf", storeTime(), "LIMIT", 0, MOST_UNPARKED)) do
    places.unpark(prefix, group)
  end
  if hasUngrouped() then places.beReady(prefix, "") end
  return self
end

local prefix = ARGV[1]
groupPlaces().forgetTurns(prefix)
if rcall("EXISTS", prefix .. "jobgate:group-turns") == 0 then
  local register, name = groupPlaces().registerOfTurns(prefix)
  rcall("SREM", register, name)
  return 0
end

local active = {}
for _, id in ipairs(rcall("LRANGE", prefix .. "active", 0, -1)) do active[id] = true end
local running, staged = rcall("HGETALL", prefix .. "jobgate:group-running"), groupPlaces().stagedJob(prefix)
for index = 1, #running, 2 do
  local id = running[index]
  if not active[id] and id ~= staged and string.sub(id, 1, 1) ~= "!" then groupPlaces().leaveGroup(prefix, running[index + 1], id) end
end
if staged or rcall("HEXISTS", KEYS[1], "paused") == 1 then
  return areNativeThere(rcall("HGET", prefix .. "jobgate:group-turns", "w")) and 1 or 0
end

-- A claim knows its worker; this replica may not have heard of it yet.
local ofClaims, queue = rcall("HGET", prefix .. "jobgate:group-turns", "d"), queueOf(prefix, ARGV[2])
local turns = ofClaims and turnsOf(queue, ofClaims, 1) or turnsOf(queue, ARGV[3], 1, "l")
turns.stage()
turns.write()
return turns.areNativeThere() and 1 or 0
