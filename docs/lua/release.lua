-- Puts the job of an attempt back as if the attempt had never started, at the head of its place or after a delay.
-- Returns 1 when it is done, 0 when the attempt does not hold the job, "repeated" when the same report did it before,
-- and CAME_LATE.
--
-- KEYS[1] meta
--
-- ARGV[1] the prefix of the queue's keys
-- ARGV[2] timestamp, epoch ms
-- ARGV[3] id of the job
-- ARGV[4] token
-- ARGV[5] delay in ms
-- ARGV[6] "1" when the holder of the token reports it: then the report is remembered
-- ARGV[7] deadline, epoch ms of the store, empty for none
-- ARGV[8] "1" when no limiter counts its start either

local rcall = redis.call

-- How many events a queue keeps, which is the default from then on unless its metadata says otherwise.
local function keepEvents(meta)
  if rcall("HSETNX", meta, "opts.maxLenEvents", "<events kept>") == 1 then return "<events kept>" end
  return rcall("HGET", meta, "opts.maxLenEvents")
end
-- Whether the attempt holds the job although its lock expired, as happens when the store was down and no replica
-- could renew it. It does as long as the job is active and was not started anew: each start of a job, by a native
-- worker too, writes another start time beside the token. An id that a client made up may name another key of the
-- queue, which is not a job.
local function holdsWithoutLock(jobKey, jobId, activeKey, token)
  if rcall("TYPE", jobKey).ok ~= "hash" then return end
  local start = rcall("HMGET", jobKey, "processedOn", "jobgate:attempt")
  return start[1] and start[2] == start[1] .. ":" .. token and rcall("LPOS", activeKey, jobId) and true
end

-- Whether the token is that of the job's running attempt.
local function holds(jobKey, jobId, activeKey, token)
  local lock = rcall("GET", jobKey .. ":lock")
  if lock then return lock == token end
  return holdsWithoutLock(jobKey, jobId, activeKey, token)
end
-- Whether the deadline (epoch ms of the store) of a run is over: its caller has given up, so it must change nothing.
local function cameLate(deadline)
  local time = rcall("TIME")
  return tonumber(time[1]) * 1000 + tonumber(time[2]) / 1000 > tonumber(deadline)
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

-- The limiters count the latest start no more, as its job goes back without a call. The largest integer in the window of
-- BullMQ stops the queue for a time, and stays.
local function countNoStart(queue, group)
  rcall("RPOP", queue.prefix .. "jobgate:starts")
  local count = tonumber(rcall("GET", queue.limiter) or "") or 0
  if count > 0 and count < 9007199254740991 then rcall("DECR", queue.limiter) end
  if group then rcall("RPOP", groupStarts(queue.prefix, group)) end
end
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
-- Remembers the report on an attempt, and removes its acceptance. Its first write takes no memory.
local function rememberReport(memory, accepted, acceptances, report, jobId)
  if rcall("ZREM", accepted, jobId) == 1 then rcall("HDEL", acceptances, jobId) end
  rcall("SET", memory, report, "PX", 60000)
end
local function getDelayedScore(delayedKey, timestamp, delay)
  local delayedTimestamp = (delay > 0 and (tonumber(timestamp) + delay)) or tonumber(timestamp)
  local minScore = delayedTimestamp * 0x1000
  local maxScore = (delayedTimestamp + 1 ) * 0x1000 - 1

  local result = rcall("ZREVRANGEBYSCORE", delayedKey, maxScore,
    minScore, "WITHSCORES","LIMIT", 0, 1)
  if #result then
    local currentMaxScore = tonumber(result[2])
    if currentMaxScore ~= nil then
      if currentMaxScore >= maxScore then
        return maxScore, delayedTimestamp
      else
        return currentMaxScore + 1, delayedTimestamp
      end
    end
  end
  return minScore, delayedTimestamp
end

-- How the groups of a queue are ordered: false, "skip" or "block". Endings without a claim go by what was said last.
local function orderOfGroups(queue)
  local defaults = queue.groups
  if not defaults or defaults == "" then defaults = groupPlaces().lastDefaults(queue.prefix) end
  return defaults and defaults ~= "" and cjson.decode(defaults).ordered or false
end

-- A job that failed for good blocks its group where its order says so.
local function blockGroup(queue, group, id)
  if orderOfGroups(queue) == "block" then rcall("HSET", queue.prefix .. "jobgate:group-blocks", "f" .. group, id) end
end

-- A job that waits for its next attempt holds an ordered group.
local function holdGroupFor(queue, group, id)
  if orderOfGroups(queue) then rcall("HSET", queue.prefix .. "jobgate:group-blocks", "h" .. group, id) end
end

-- A job that waited for its next attempt, or that failed, goes or changes its place: its group is free of it.
local function freeOrder(prefix, group, id)
  local blocks = prefix .. "jobgate:group-blocks"
  for _, kind in ipairs({"f", "h"}) do
    if rcall("HGET", blocks, kind .. group) == id then rcall("HDEL", blocks, kind .. group) end
  end
end

-- A job goes for good: its group is free of it, and one waiter for jobs is woken if another of its jobs may start.
local function freeGroup(prefix, group, id)
  freeOrder(prefix, group, id)
  if groupPlaces().leaveGroup(prefix, group, id) then rcall("ZADD", prefix .. "marker", 0, "0") end
end

-- Holds a group for some ms; a longer hold stays. Returns until when.
local function holdGroup(prefix, group, duration)
  local held, now = prefix .. "jobgate:group-held", storeTime()
  local before = tonumber(rcall("ZSCORE", held, group) or "") or 0
  local till = math.max(before, math.floor(now + duration))
  rcall("ZREMRANGEBYSCORE", held, "-inf", string.format("%.0f", math.floor(now)))
  rcall("ZADD", held, string.format("%.0f", till), group)
  rcall("PEXPIREAT", held, rcall("ZRANGE", held, -1, -1, "WITHSCORES")[2])
  groupPlaces().unstageGroup(prefix, group)
  return till
end
-- Writes an event of a job and trims the stream to `maxEvents`, unless that is nothing: then the run trims it elsewhere.
-- `group` is false or nothing for a job without one.
--
-- ...: further names and values
local function groupEvent(events, maxEvents, group, event, id, ...)
  local fields = {...}
  if group then
    fields[#fields + 1] = "group"
    fields[#fields + 1] = group
  end
  if maxEvents then
    rcall("XADD", events, "MAXLEN", "~", maxEvents, "*", "event", event, "jobId", id, unpack(fields))
  else
    rcall("XADD", events, "*", "event", event, "jobId", id, unpack(fields))
  end
end

-- The same of a job whose hash names its group, where it has one.
local function jobEvent(prefix, maxEvents, event, id, ...)
  local group = redis.pcall("HGET", prefix .. id, "jobgate:group")
  groupEvent(prefix .. "events", maxEvents, type(group) == "string" and group, event, id, ...)
end
-- Removes the sign of a gate when nothing needs it any more.
local function leaveGate(prefix)
    if rcall("EXISTS", prefix .. "jobgate:gate", prefix .. "jobgate:gate-started", prefix .. "jobgate:gate-ending") == 0 then
        rcall("HDEL", prefix .. "meta", "jobgate:gate")
    end
end

-- Sets the sign of a gate. Keys without it are those of a queue of the same name that is gone.
local function enterGate(prefix)
    if rcall("HSETNX", prefix .. "meta", "jobgate:gate", 1) == 1 then
        rcall("DEL", prefix .. "jobgate:gate", prefix .. "jobgate:gate-started", prefix .. "jobgate:gate-returned",
            prefix .. "jobgate:gate-ending")
    end
end
-- How far below the scores of its priority a job may go that was put back: room for as many jobs as run at once, again
-- and again. No queue has so many of the next higher priority that they reach that far.
local ROOM = 0x1000000

-- What a priority begins with among the jobs that went back, none of which has an id with one colon.
local PRIORITY = ":"

-- How many jobs may have been put ahead of those that went back before, without these being overlooked.
local OTHERS = 100

-- How many of those that went back before may have been taken away at a time, without others being overlooked.
local GONE = 100

-- How much longer a list may be than what comes before a job, to look for its place from the tail.
local NEAR = 10

-- How many ids go into one command: Lua has no room for many thousand arguments.
local PIECE = 1000

-- The number of an active job in the order of the starts, the same until a job starts. Nothing when it is the only
-- one: none can go back beside it before another one starts.
local function numbered(prefix, active, jobId)
    local started = prefix .. "jobgate:gate-started"
    if rcall("HEXISTS", prefix .. "meta", "jobgate:gate") == 0 or rcall("EXISTS", started) == 0 then
        if rcall("LLEN", active) == 1 then
            return nil
        end
        enterGate(prefix)
        for first = 0, rcall("LLEN", active) - 1, PIECE do
            rcall("RPUSH", started, unpack(rcall("LRANGE", active, first, first + PIECE - 1)))
        end
    end
    local place = rcall("LPOS", started, jobId)
    return place and rcall("LLEN", started) - place
end

-- The last of those of a lower number that were put back before, and how many come before what goes behind it.
local function predecessor(returned, wait, number)
    for _ = 1, GONE do
        local id = rcall("ZREVRANGEBYSCORE", returned, "(" .. number, "-inf", "LIMIT", 0, 1)[1]
        if not id then
            return nil, 0
        end
        local place = rcall("LPOS", wait, id, "RANK", -1, "MAXLEN", rcall("ZCARD", returned) + OTHERS)
        if place then
            return id, rcall("LLEN", wait) - place
        end
        rcall("ZREM", returned, id)
    end
    return nil, 0
end

-- Puts a job at the head of the list, behind those of a lower number that were put back before. The store looks
-- for a place in a list from its tail: where that is far, what comes before the job is put back behind it instead.
local function putBackWaiting(prefix, wait, jobId, number)
    local returned, before, ahead = prefix .. "jobgate:gate-returned", nil, 0
    if number then
        before, ahead = predecessor(returned, wait, number)
        rcall("ZADD", returned, number, jobId)
    end
    if before and rcall("LLEN", wait) < NEAR * ahead then
        rcall("LINSERT", wait, "BEFORE", before, jobId)
        return
    end
    local ids = ahead > 0 and rcall("LRANGE", wait, -ahead, -1) or {}
    if ahead > 0 then
        rcall("LTRIM", wait, 0, -ahead - 1)
    end
    rcall("RPUSH", wait, jobId)
    for index = 1, ahead, PIECE do
        rcall("RPUSH", wait, unpack(ids, index, math.min(ahead, index + PIECE - 1)))
    end
end

-- Puts a job ahead of those of its priority, behind those of a lower number that were put back before. The score
-- of what it goes before is found once, and kept until a job starts.
local function putBackPrioritized(prefix, prioritized, jobId, priority, number)
    local returned, member = prefix .. "jobgate:gate-returned", PRIORITY .. priority
    local isLast = priority >= 0x200000
    local step, base = isLast and 2 or 1, priority * 0x100000000
    local before = number and tonumber(rcall("ZSCORE", returned, member) or "")
    if not before then
        local first = rcall("ZRANGEBYSCORE", prioritized, string.format("%.0f", base - ROOM), "+inf", "WITHSCORES",
            "LIMIT", 0, 1)
        before = tonumber(first[2])
        if not before or (not isLast and before >= base + 0x100000000 - ROOM) then
            before = base + step
        end
        if number then
            rcall("ZADD", returned, string.format("%.0f", before), member)
        end
    end
    local places = number and rcall("LLEN", prefix .. "jobgate:gate-started") - number or 0
    rcall("ZADD", prioritized, string.format("%.0f", before - step * (places + 1)), jobId)
end

-- Puts a job that was active back where it was taken, at the head of its place, given its number while it was
-- active. Those that go back before a job starts keep the order in which they started, whichever goes back first.
local function putBack(prefix, wait, prioritized, jobId, number)
    local priority = tonumber(rcall("HGET", prefix .. jobId, "priority") or "") or 0
    if priority > 0 and priority <= 0x200000 then
        putBackPrioritized(prefix, prioritized, jobId, priority, number)
    else
        putBackWaiting(prefix, wait, jobId, number)
    end
end
-- The score of a job among those with a priority, in the order of their adds. Beyond priority 2097151, which BullMQ does
-- not have, only every other number is exact.
local function getPriorityScore(priority, priorityCounterKey)
  local prioCounter = rcall("INCR", priorityCounterKey)
  if priority >= 0x200000 then return priority * 0x100000000 + (prioCounter % 0x100000000) * 2 end
  return priority * 0x100000000 + prioCounter % 0x100000000
end

-- Delays a job that is not active any more by some ms. It holds its group where that is ordered.
local function delayJob(queue, id, delay, group)
  local score, dueAt = getDelayedScore(queue.delayed, queue.timestamp, delay)
  rcall("HSET", queue.prefix .. id, "delay", delay)
  rcall("ZADD", queue.delayed, score, id)
  groupEvent(queue.events, nil, group, "delayed", id, "delay", dueAt)
  if group then holdGroupFor(queue, group, id) end
end

-- Has a job that is not active any more wait for another attempt: behind those that wait, or ahead of them. A job of a
-- group waits where it was taken.
local function requeue(queue, id, isAhead, group)
  if group then
    groupPlaces().waitAgainInGroup(queue.prefix, group, id)
    groupEvent(queue.events, nil, group, "waiting", id, "prev", "active")
    return
  end
  local priority = tonumber(rcall("HGET", queue.prefix .. id, "priority") or "") or 0
  if priority > 0 then
    rcall("ZADD", queue.prioritized, getPriorityScore(priority, queue.priorityCounter), id)
  else
    rcall(isAhead and "RPUSH" or "LPUSH", queue.wait, id)
  end
  groupEvent(queue.events, nil, nil, "waiting", id, "prev", "active")
end

-- Puts an active job back where it was taken, as if it had never started, or delays it by some ms.
local function giveBack(queue, id, delay, group)
  if delay > 0 or group then
    rcall("LREM", queue.active, -1, id)
    if delay > 0 then delayJob(queue, id, delay, group) else requeue(queue, id, true, group) end
    return
  end
  local number = numbered(queue.prefix, queue.active, id)
  rcall("LREM", queue.active, -1, id)
  putBack(queue.prefix, queue.wait, queue.prioritized, id, number)
  groupEvent(queue.events, nil, nil, "waiting", id, "prev", "active")
end
local function getNextDelayedTimestamp(delayedKey)
  local result = rcall("ZRANGE", delayedKey, 0, 0, "WITHSCORES")
  if #result then
    local nextTimestamp = tonumber(result[2])
    if nextTimestamp ~= nil then
      return nextTimestamp / 0x1000
    end
  end
end

local function addDelayMarkerIfNeeded(markerKey, delayedKey)
  local nextTimestamp = getNextDelayedTimestamp(delayedKey)
  if nextTimestamp ~= nil then
    -- Replace the score of the marker with the newest known
    -- next timestamp.
    rcall("ZADD", markerKey, nextTimestamp, "1")
  end
end
local function isQueuePausedOrMaxed(queueMetaKey, activeKey)
  local queueAttributes = rcall("HMGET", queueMetaKey, "paused", "concurrency")

  if queueAttributes[1] then
    return true
  else
    if queueAttributes[2] then
      local activeCount = rcall("LLEN", activeKey)
      return activeCount >= tonumber(queueAttributes[2])
    end
  end
  return false
end

local prefix, id, token, delay = ARGV[1], ARGV[3], ARGV[4], tonumber(ARGV[5])
local isReported, deadline = ARGV[6] == "1", ARGV[7]
local queue = queueOf(prefix, ARGV[2])
local job, memory, report = prefix .. id, prefix .. "jobgate:report-" .. token, "released:" .. id

if deadline ~= "" and cameLate(deadline) then return "came late" end
if rcall("EXISTS", job) == 0 or not holds(job, id, queue.active, token) or not rcall("LPOS", queue.active, id) then
  return isReported and rcall("GET", memory) == report and "repeated" or 0
end
rcall("DEL", job .. ":lock")
rcall("SREM", queue.stalled, id)
rcall("XTRIM", queue.events, "MAXLEN", "~", keepEvents(queue.meta))
rcall("HDEL", job, "jobgate:attempt", "pb", "jobgate:pulled-by")
local group = rcall("HGET", job, "jobgate:group")
if group then groupPlaces().leaveGroup(prefix, group, id) end
if ARGV[8] == "1" and rcall("HEXISTS", job, "defa") == 0 then countNoStart(queue, group) end
giveBack(queue, id, delay, group)
if delay > 0 then
  addDelayMarkerIfNeeded(queue.marker, queue.delayed)
elseif not isQueuePausedOrMaxed(queue.meta, queue.active) then
  rcall("ZADD", queue.marker, 0, "0")
end
if isReported then rememberReport(memory, prefix .. "jobgate:accepted", prefix .. "jobgate:acceptances", report, id) end
return 1
