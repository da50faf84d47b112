-- Adds the jobs of a flow as one step, whatever queues they are for: all keys of a prefix are in one slot. The
-- keys and events are those that BullMQ's own flow producers leave. All that could fail comes before the first write, or
-- is the first write, so the flow is stored whole or not at all.
--
-- Returns "late", "full" with the bound, "group" with the position of a job and how many jobs of its group wait, "exists" with the position of a job, or "added".
--
-- KEYS[1] registry of queues
-- KEYS[2] register of queues with expiring jobs
--
-- ARGV[1] prefix
-- ARGV[2] now
-- ARGV[3] deadline
-- ARGV[4] how many queues there are
-- ARGV[5…] of each queue its name and the most jobs that may wait there, and of a group there, or nothing; then of each job the position of its
--   queue, its place, name, data and options, the position of its parent or nothing, what BullMQ keeps of that as JSON,
--   and `p` for one that waits for children and `g` for one with an id that was given, or both

local rcall = redis.call
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

-- Fails where a key of the groups has another type, before anything is written.
local function checkGroupKeys(prefix)
  rcall("ZCARD", prefix .. "jobgate:group-waiting")
  rcall("ZCARD", prefix .. "jobgate:group-ready")
  rcall("HLEN", prefix .. "jobgate:group-turns")
end

-- Has the queue take turns from now on. Jobs without a group that were there first have the first turn.
local function becomeGrouped(prefix, meta, wait, prioritized)
  rcall("HSET", meta, "jobgate:groups", "1")
  if rcall("EXISTS", wait, prioritized) > 0 then groupPlaces().beReady(prefix, "") end
end
-- Writes the record of a job that is added, from where it is staged, if it is.
local function writeJob(job, staged, name, data, opts, timestamp, delay, priority)
  if staged then
    rcall("RENAME", staged, job)
    rcall("PERSIST", job)
  else
    rcall("HSET", job, "name", name, "data", data, "opts", opts, "timestamp", timestamp, "delay", delay,
      "priority", priority)
  end
end

-- Notes the group of a job that is added, and its cost unless that is the usual one.
local function joinGroup(job, group, cost)
  rcall("HSET", job, "jobgate:group", group)
  if cost ~= "1" then rcall("HSET", job, "jobgate:group-cost", cost) end
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

-- Returns a function that counts one more job of a group, and returns how many of the group come before that one when there
-- is no room for it, else nothing. Returns nothing when every group has room.
--
-- ofAll: how many jobs of a group may wait unless its settings say otherwise, or nothing
local function roomOfGroups(prefix, ofAll)
  if not ofAll and rcall("EXISTS", prefix .. "jobgate:group-settings") == 0 then return nil end
  local terms = groupTerms(prefix, ofAll and cjson.encode({maxWaiting = ofAll}) or nil)
  local waiting, toWait, most = {}, {}, {}
  local _, ofStaged = groupPlaces().stagedJob(prefix)
  return function(group)
    if not waiting[group] then
      waiting[group] = rcall("ZLEXCOUNT", prefix .. "jobgate:group-waiting", "[" .. group .. "\0", "[" .. group .. "\0:") +
        (group == ofStaged and 1 or 0)
      toWait[group], most[group] = 0, terms.of(group).maxWaiting or math.huge
    end
    toWait[group] = toWait[group] + 1
    if waiting[group] + toWait[group] > most[group] then return waiting[group] + toWait[group] - 1 end
  end
end
-- How many events a queue keeps, which is the default from then on unless its metadata says otherwise.
local function keepEvents(meta)
  if rcall("HSETNX", meta, "opts.maxLenEvents", "<events kept>") == 1 then return "<events kept>" end
  return rcall("HGET", meta, "opts.maxLenEvents")
end

-- Lists a queue in the registry. The field goes with the queue, and a script that creates the queue again sets it
-- anew. So an add that finds it has nothing to do, and no replica need remember anything. Both keys are in one slot of
-- a cluster, as all keys of a prefix are.
local function registerQueue(registry, meta)
  if rcall("HSETNX", meta, "jobgate.listed", "1") == 1 then
    rcall("ZADD", registry, 0, string.match(meta, "([^:]+):meta$"))
  end
end

-- Creates a queue unless it is there, as every script has to that gives a queue something of its own. It returns
-- how many events the queue keeps.
local function createQueue(registry, meta)
  local kept = keepEvents(meta)
  registerQueue(registry, meta)
  return kept
end
-- Takes apart where a job goes, as TypeScript's `placeOf` puts it together; behind the others its cost and group, if it
-- has one.
local function placeOf(place)
  if place == "" then return "0", "0", "0", "", "0" end
  local cost, group
  if string.find(place, "\0", 1, true) then place, cost, group = string.match(place, "^(.-)%z(%d+):(.*)$") end
  local delay, priority, lifo, ttl, id = string.match(place, "^(%d+):(%d+):(%d):(%d+):(.*)$")
  return delay, priority, lifo, id, ttl, cost, group
end
-- The score of a job among those with a priority, in the order of their adds. Beyond priority 2097151, which BullMQ does
-- not have, only every other number is exact.
local function getPriorityScore(priority, priorityCounterKey)
  local prioCounter = rcall("INCR", priorityCounterKey)
  if priority >= 0x200000 then return priority * 0x100000000 + (prioCounter % 0x100000000) * 2 end
  return priority * 0x100000000 + prioCounter % 0x100000000
end

-- How many arguments each queue and each job of a flow has.
local QUEUE_ARGUMENTS, JOB_ARGUMENTS = 3, 8

-- Entries of a set or a list that one command writes.
local ENTRIES_AT_ONCE = 1000

-- The latest time that an expiry may have: the largest whole number that JSON keeps exact.
local LATEST = 2 ^ 53 - 1

local registry, expiringQueues = KEYS[1], KEYS[2]
local now, deadline = ARGV[2], tonumber(ARGV[3])
if storeTime() > deadline then return {"late"} end

-- What adds need to know of a queue. A key of another type than is expected stops the step here.
local function readQueue(name, maxWaiting, ofGroup)
  local base = ARGV[1] .. ":" .. name .. ":"
  local maxEvents, paused, concurrency, listed =
    unpack(rcall("HMGET", base .. "meta", "opts.maxLenEvents", "paused", "concurrency", "jobgate.listed"))
  local running = concurrency and rcall("LLEN", base .. "active") or 0
  rcall("LLEN", base .. "wait")
  rcall("XLEN", base .. "events")
  for _, set in ipairs({"marker", "delayed", "prioritized", "waiting-children", "jobgate:expiring"}) do
    rcall("ZCARD", base .. set)
  end
  for _, counter in ipairs({"pc", "id"}) do
    if not tonumber(rcall("GET", base .. counter) or 0) then
      return nil, redis.error_reply("WRONGTYPE " .. base .. counter .. " is not a number")
    end
  end
  local isStartable = not paused and not (concurrency and running >= tonumber(concurrency))
  return {name = name, base = base, maxWaiting = tonumber(maxWaiting), maxEvents = maxEvents, isListed = listed,
    isStartable = isStartable, toWait = 0, jobs = 0, addToGroup = roomOfGroups(base, tonumber(ofGroup))}
end

local queues, jobs = {}, {}
local first = 5
for index = 1, tonumber(ARGV[4]) do
  local queue, problem = readQueue(ARGV[first], ARGV[first + 1], ARGV[first + 2])
  if not queue then return problem end
  queues[index] = queue
  first = first + QUEUE_ARGUMENTS
end
rcall("ZCARD", expiringQueues)
rcall("ZCARD", registry)

for at = first, #ARGV, JOB_ARGUMENTS do
  local queue = queues[tonumber(ARGV[at])]
  local delay, priority, lifo, id, ttl, cost, group = placeOf(ARGV[at + 1])
  local isParent = string.find(ARGV[at + 7], "p", 1, true)
  if string.find(ARGV[at + 7], "g", 1, true) and rcall("EXISTS", queue.base .. id) == 1 then
    return {"exists", #jobs}
  end
  queue.jobs = queue.jobs + 1
  if delay == "0" and not isParent then
    queue.toWait = queue.toWait + 1
    local full = group and queue.addToGroup and queue.addToGroup(group)
    if full then return {"group", #jobs, full} end
  end
  jobs[#jobs + 1] = {at = at, queue = queue, id = id, key = queue.base .. id, delay = tonumber(delay),
    priority = tonumber(priority), isLifo = lifo == "1", ttl = tonumber(ttl), isParent = isParent, cost = cost, group = group}
end
for _, queue in ipairs(queues) do
  if queue.maxWaiting and queue.toWait > 0 and
      rcall("LLEN", queue.base .. "wait") + rcall("ZCARD", queue.base .. "prioritized") +
      rcall("ZCARD", queue.base .. "jobgate:group-waiting") + queue.toWait > queue.maxWaiting then
    return {"full", queue.maxWaiting}
  end
end

for _, queue in ipairs(queues) do
  rcall("INCRBY", queue.base .. "id", queue.jobs)
  if not (queue.maxEvents and queue.isListed) then queue.maxEvents = createQueue(registry, queue.base .. "meta") end
end

local function report(job, event, ...)
  groupEvent(job.queue.base .. "events", job.queue.maxEvents, job.group, event, job.id, ...)
end

-- Entries of sets and lists, by their keys, that are written together.
local dependencies, waiting = {}, {}
local function gather(entries, key, entry)
  local some = entries[key] or {}
  entries[key] = some
  some[#some + 1] = entry
end
local function write(command, entries)
  for key, some in pairs(entries) do
    for from = 1, #some, ENTRIES_AT_ONCE do
      rcall(command, key, unpack(some, from, math.min(from + ENTRIES_AT_ONCE - 1, #some)))
    end
  end
end

local function store(job)
  local at = job.at
  local name, above = ARGV[at + 2], jobs[tonumber(ARGV[at + 5])]
  if above then
    rcall("HSET", job.key, "name", name, "data", ARGV[at + 3], "opts", ARGV[at + 4], "timestamp", now, "delay", job.delay,
      "priority", job.priority, "parentKey", above.key, "parent", ARGV[at + 6])
    gather(dependencies, above.key .. ":dependencies", job.key)
  else
    writeJob(job.key, nil, name, ARGV[at + 3], ARGV[at + 4], now, job.delay, job.priority)
  end
  if job.group then
    local base = job.queue.base
    if not isGroupedQueue(base) then becomeGrouped(base, base .. "meta", base .. "wait", base .. "prioritized") end
    joinGroup(job.key, job.group, job.cost)
  end
  report(job, "added", "name", name)
end

local function noteExpiry(job)
  local queue, expires = job.queue, math.min(now + job.ttl, LATEST)
  queue.expires = math.min(expires, queue.expires or expires)
  rcall("HSET", job.key, "jobgate:expires", string.format("%.0f", expires))
  rcall("ZADD", queue.base .. "jobgate:expiring", string.format("%.0f", expires), job.id)
end

-- Brings a job to its place. Those that go to the list behind others are only gathered.
local function enqueue(job)
  local queue, base, id = job.queue, job.queue.base, job.id
  if job.isParent then
    rcall("ZADD", base .. "waiting-children", now, id)
    report(job, "waiting-children")
    return
  end
  if job.delay > 0 then
    local score, dueAt = getDelayedScore(base .. "delayed", now, job.delay)
    rcall("ZADD", base .. "delayed", score, id)
    report(job, "delayed", "delay", string.format("%.0f", dueAt))
    queue.isAnyDelayed = true
    return
  end
  if job.group then
    groupPlaces().waitInGroup(base, job.group, id, job.priority, job.isLifo)
  elseif job.priority > 0 then
    rcall("ZADD", base .. "prioritized", getPriorityScore(job.priority, base .. "pc"), id)
  elseif job.isLifo then
    rcall("RPUSH", base .. "wait", id)
  else
    gather(waiting, base .. "wait", id)
  end
  report(job, "waiting")
  queue.isAnyWaiting = true
end

for _, job in ipairs(jobs) do
  store(job)
  if job.ttl > 0 then noteExpiry(job) end
  enqueue(job)
end
write("SADD", dependencies)
write("LPUSH", waiting)
for _, queue in ipairs(queues) do
  if queue.expires then
    local known = rcall("ZSCORE", expiringQueues, queue.name)
    if not known or tonumber(known) > queue.expires then
      rcall("ZADD", expiringQueues, string.format("%.0f", queue.expires), queue.name)
    end
  end
  if queue.isAnyWaiting and queue.isStartable then rcall("ZADD", queue.base .. "marker", 0, "0") end
  if queue.isAnyDelayed then addDelayMarkerIfNeeded(queue.base .. "marker", queue.base .. "delayed") end
end
return {"added"}
