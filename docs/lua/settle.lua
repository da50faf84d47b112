-- Ends attempts of a queue and takes jobs in their place, in one run for several of them: first all the endings, then
-- all the claims. A test compares the keys and events with those that BullMQ leaves.
--
-- KEYS[1] wait
-- KEYS[2] active
-- KEYS[3] prioritized
-- KEYS[4] events
-- KEYS[5] stalled
-- KEYS[6] delayed
-- KEYS[7] meta
-- KEYS[8] priority counter
-- KEYS[9] marker
-- KEYS[10] completed
-- KEYS[11] failed
-- KEYS[12] limiter
--
-- ARGV[1] the prefix of the queue's keys
-- ARGV[2] timestamp, epoch ms
-- ARGV[3] deadline of the claims, epoch ms of the store
-- ARGV[4] concurrency over all replicas, empty when it has no bound
-- ARGV[5] lock duration in ms
-- ARGV[6] name of the replica
-- ARGV[7] register of queues with pulled jobs, empty unless clients pull the jobs
-- ARGV[8] whether the worker has a breaker: "1" or "0", empty for pulls
-- ARGV[9] limiter of the worker, empty without one: max, duration (ms), window (ms), as JSON
-- ARGV[10] how many ended jobs are kept unless they say so themselves, empty for all
-- ARGV[11] and for how many seconds, empty for ever
-- ARGV[12] "1" when the holders of the tokens report the endings: then the reports are remembered
-- ARGV[13] what holds for groups without settings, as JSON; empty without
-- ARGV[14] the call that the claims fill, as JSON; empty for a call with one job each
-- ARGV[15…] six for each step: the id and the token of the attempt that ended, empty when there is only a claim; the
--   return value or reason; the record of the attempt or nothing; the terms of the ending as JSON, nothing for a
--   completion without a verdict; the token to claim with, or nothing
--
-- The terms of an ending: how ("completed", "failed", "retry", "deferred"), delay (for how many ms a retry or a deferral
-- waits), holdsQueue and holdsGroup (what a deferral holds), half (the job goes back with this half of its call), verdict (that on the call, see rules/verdict).
--
-- Returns when the next delayed job falls due or 0; for how many ms no job starts or 0; for each step -1 when the
-- attempt had lost its job, 1 when it is done and has no job, the hash and id of the claimed job, or 0 and the id of a
-- job whose slot is to be skipped; and, for each effect that others must learn of, the number of its step and the
-- effect: "opened" or "closed" (the breaker), "held" (the queue), "repeated" (the report).

local rcall = redis.call

-- How many events a queue keeps, which is the default from then on unless its metadata says otherwise.
local function keepEvents(meta)
  if rcall("HSETNX", meta, "opts.maxLenEvents", "<events kept>") == 1 then return "<events kept>" end
  return rcall("HGET", meta, "opts.maxLenEvents")
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
-- The time of the step's caller in epoch ms, from which parents that a removal releases count their delay. A step that
-- removes jobs sets it: BullMQ's functions, which stand between the step and the release, have no argument for it.
local callersTime
-- A text for an event: one that is too long is cut between two characters.
local function eventText(text)
  if #text <= 1024 then return text end
  return (string.gsub(string.sub(text, 1, 1024), "[\192-\255][\128-\191]*$", ""))
end

-- A JSON value for an event. One that is too long cannot be cut, and clients of BullMQ stop at an event without one.
local function eventValue(json)
  return #json > 1024 and " null" or json
end
-- The time on the store's own clock, which counts for all replicas, in epoch ms.
local function storeTime()
    local time = rcall("TIME")
    return tonumber(time[1]) * 1000 + tonumber(time[2]) / 1000
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
local functions

-- What few endings need: families, deduplication, and the removal of ended jobs. The definitions cost nothing in a run
-- that does not ask for them.
local function library()
  if functions then return functions end
  local function removeDeduplicationKeyIfNeededOnFinalization(prefixKey,
    deduplicationId, jobId)
    if deduplicationId then
      local deduplicationKey = prefixKey .. "de:" .. deduplicationId
      local pttl = rcall("PTTL", deduplicationKey)

      if pttl == 0 then
        return rcall("DEL", deduplicationKey)
      end

      if pttl == -1 then
        local currentJobId = rcall('GET', deduplicationKey)
        if currentJobId and currentJobId == jobId then
          return rcall("DEL", deduplicationKey)
        end
      end
    end
  end
  local function getOrSetMaxEvents(metaKey)
    local maxEvents = rcall("HGET", metaKey, "opts.maxLenEvents")
    if not maxEvents then
      maxEvents = 10000
      rcall("HSET", metaKey, "opts.maxLenEvents", maxEvents)
    end
    return maxEvents
  end
  local function setDeduplicationKey(deduplicationKey, jobId, deduplicationOpts)
      local ttl = deduplicationOpts and deduplicationOpts['ttl']
      if ttl and ttl > 0 then
          rcall('SET', deduplicationKey, jobId, 'PX', ttl)
      else
          rcall('SET', deduplicationKey, jobId)
      end
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

  local function addDelayedJob(jobId, delayedKey, eventsKey, timestamp,
    maxEvents, markerKey, delay)

    local score, delayedTimestamp = getDelayedScore(delayedKey, timestamp, tonumber(delay))

    rcall("ZADD", delayedKey, score, jobId)
    rcall("XADD", eventsKey, "MAXLEN", "~", maxEvents, "*", "event", "delayed",
      "jobId", jobId, "delay", delayedTimestamp)

    -- mark that a delayed job is available
    addDelayMarkerIfNeeded(markerKey, delayedKey)
  end
  local function addBaseMarkerIfNeeded(markerKey, isPausedOrMaxed)
    if not isPausedOrMaxed then
      rcall("ZADD", markerKey, 0, "0")
    end  
  end

  local function addJobInTargetList(targetKey, markerKey, pushCmd, isPausedOrMaxed, jobId)
    rcall(pushCmd, targetKey, jobId)
    addBaseMarkerIfNeeded(markerKey, isPausedOrMaxed)
  end
  -- The score of a job among those with a priority, in the order of their adds. Beyond priority 2097151, which BullMQ does
  -- not have, only every other number is exact.
  local function getPriorityScore(priority, priorityCounterKey)
    local prioCounter = rcall("INCR", priorityCounterKey)
    if priority >= 0x200000 then return priority * 0x100000000 + (prioCounter % 0x100000000) * 2 end
    return priority * 0x100000000 + prioCounter % 0x100000000
  end

  local function addJobWithPriority(markerKey, prioritizedKey, priority, jobId, priorityCounterKey,
    isPausedOrMaxed)
    local score = getPriorityScore(priority, priorityCounterKey)
    rcall("ZADD", prioritizedKey, score, jobId)
    addBaseMarkerIfNeeded(markerKey, isPausedOrMaxed)
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
  local function storeJob(eventsKey, jobIdKey, jobId, name, data, opts, timestamp,
                          parentKey, parentData, repeatJobKey)
      local jsonOpts = cjson.encode(opts)
      local delay = opts['delay'] or 0
      local priority = opts['priority'] or 0
      local debounceId = opts['de'] and opts['de']['id']

      local optionalValues = {}
      if parentKey ~= nil then
          table.insert(optionalValues, "parentKey")
          table.insert(optionalValues, parentKey)
          table.insert(optionalValues, "parent")
          table.insert(optionalValues, parentData)
      end

      if repeatJobKey then
          table.insert(optionalValues, "rjk")
          table.insert(optionalValues, repeatJobKey)
      end

      if debounceId then
          table.insert(optionalValues, "deid")
          table.insert(optionalValues, debounceId)
      end

      rcall("HMSET", jobIdKey, "name", name, "data", data, "opts", jsonOpts,
            "timestamp", timestamp, "delay", delay, "priority", priority,
            unpack(optionalValues))

      rcall("XADD", eventsKey, "*", "event", "added", "jobId", jobId, "name", name)

      return delay, priority
  end

  local function storeAndEnqueueJob(eventsKey, jobIdKey, jobId, name, data, opts,
      timestamp, parentKey, parentData, repeatJobKey, maxEvents,
      waitKey, pausedKey, activeKey, metaKey, prioritizedKey,
      priorityCounterKey, delayedKey, markerKey)

    local delay, priority = storeJob(eventsKey, jobIdKey, jobId, name, data,
        opts, timestamp, parentKey, parentData, repeatJobKey)

    if delay ~= 0 and delayedKey then
      addDelayedJob(jobId, delayedKey, eventsKey, timestamp, maxEvents, markerKey, delay)
    else
      local isPausedOrMaxed = isQueuePausedOrMaxed(metaKey, activeKey)

      if priority > 0 then
        addJobWithPriority(markerKey, prioritizedKey, priority, jobId,
            priorityCounterKey, isPausedOrMaxed)
      else
        local pushCmd = opts['lifo'] and 'RPUSH' or 'LPUSH'
        addJobInTargetList(waitKey, markerKey, pushCmd, isPausedOrMaxed, jobId)
      end

      rcall("XADD", eventsKey, "MAXLEN", "~", maxEvents, "*", "event", "waiting",
          "jobId", jobId)
    end

    return delay, priority
  end

  local function requeueDeduplicatedJob(prefix, deduplicationId, eventStreamKey,
      metaKey, activeKey, waitKey, pausedKey, markerKey, prioritizedKey,
      priorityCounterKey, delayedKey, timestamp)
    local deduplicationNextKey = prefix .. "dn:" .. deduplicationId
    if rcall("EXISTS", deduplicationNextKey) == 1 then
      local nextData = rcall("HMGET", deduplicationNextKey,
          "name", "data", "opts", "pk", "pd", "pdk", "rjk", "jid")

      -- Always increment the counter to keep it monotonic
      local nextId = rcall("INCR", prefix .. "id") .. ""
      local storedJobId = nextData[8] -- index 8 = "jid" (8th field in the HMGET call above)
      local newJobId
      if storedJobId then
        newJobId = storedJobId
      else
        newJobId = nextId
      end
      local newJobIdKey = prefix .. newJobId
      local newOpts = cjson.decode(nextData[3])
      local deduplicationKey = prefix .. "de:" .. deduplicationId

      local parentKey = nextData[4] or nil
      local parentData = nextData[5] or nil
      local parentDependenciesKey = nextData[6] or nil
      local repeatJobKey = nextData[7] or nil

      -- Set dedup key for the new job (without TTL when keepLastIfActive,
      -- so the key outlives the job's active duration)
      local deOpts = newOpts['de']
      if deOpts and deOpts['keepLastIfActive'] then
        rcall('SET', deduplicationKey, newJobId)
      else
        setDeduplicationKey(deduplicationKey, newJobId, deOpts)
      end

      -- Store and enqueue using the shared helper (handles priority/lifo/delayed)
      local maxEvents = getOrSetMaxEvents(metaKey)
      storeAndEnqueueJob(eventStreamKey, newJobIdKey, newJobId, nextData[1], nextData[2],
          newOpts, timestamp, parentKey, parentData, repeatJobKey, maxEvents,
          waitKey, pausedKey, activeKey, metaKey, prioritizedKey,
          priorityCounterKey, delayedKey, markerKey)

      -- Register as child dependency if the job has a parent
      if parentDependenciesKey then
        rcall("SADD", parentDependenciesKey, newJobIdKey)
      end

      -- Only delete the dedup-next hash after the job is fully created,
      -- so that if any step above errors, the data is not permanently lost.
      rcall("DEL", deduplicationNextKey)
    end
  end

  -- Ends the deduplication that a job stands for, and adds the job that was kept to follow it. Its options stay the text
  -- that they are: Lua would write empty lists and large numbers otherwise. Unreadable options have no effect.
  local function endDeduplication(queue, deduplicationId, jobId)
    local prefix = queue.prefix
    removeDeduplicationKeyIfNeededOnFinalization(prefix, deduplicationId, jobId)
    local following = prefix .. "dn:" .. deduplicationId
    if rcall("EXISTS", following) == 0 then return end
    local kept = rcall("HMGET", following, "opts", "jid")
    local isJson, options = pcall(cjson.decode, kept[1] or "null")
    if not isJson or type(options) ~= "table" then rcall("HSET", following, "opts", "{}") end
    requeueDeduplicatedJob(prefix, deduplicationId, queue.events, queue.meta, queue.active, queue.wait,
      prefix .. "paused", queue.marker, queue.prioritized, queue.priorityCounter, queue.delayed, queue.timestamp)
    if kept[1] then rcall("HSET", prefix .. (kept[2] or rcall("GET", prefix .. "id")), "opts", kept[1]) end
  end
  local getJobIdFromKey = function (jobKey)
    return string.match(jobKey, ".*:(.*)")
  end

  local getJobKeyPrefix = function (jobKey, jobId)
    return string.sub(jobKey, 0, #jobKey - #jobId)
  end

  local function moveParentToWait(parentQueueKey, parentKey, parentId, timestamp)
      local parentWaitKey = parentQueueKey .. ":wait"
      local parentActiveKey = parentQueueKey .. ":active"
      local parentMetaKey = parentQueueKey .. ":meta"

      local parentMarkerKey = parentQueueKey .. ":marker"
      local jobAttributes = rcall("HMGET", parentKey, "priority", "delay")
      local priority = tonumber(jobAttributes[1]) or 0
      local delay = tonumber(jobAttributes[2]) or 0

      if delay > 0 then
          local delayedTimestamp = tonumber(timestamp) + delay
          local score = delayedTimestamp * 0x1000
          local parentDelayedKey = parentQueueKey .. ":delayed"
          rcall("ZADD", parentDelayedKey, score, parentId)
          rcall("XADD", parentQueueKey .. ":events", "*", "event", "delayed", "jobId", parentId, "delay",
              delayedTimestamp)

          addDelayMarkerIfNeeded(parentMarkerKey, parentDelayedKey)
      else
          if priority == 0 then
              local isParentPausedOrMaxed =
                  isQueuePausedOrMaxed(parentMetaKey, parentActiveKey)
              addJobInTargetList(parentWaitKey, parentMarkerKey, "RPUSH", isParentPausedOrMaxed, parentId)
          else
              local isPausedOrMaxed = isQueuePausedOrMaxed(parentMetaKey, parentActiveKey)
              addJobWithPriority(parentMarkerKey, parentQueueKey .. ":prioritized", priority, parentId,
                  parentQueueKey .. ":pc", isPausedOrMaxed)
          end

          rcall("XADD", parentQueueKey .. ":events", "*", "event", "waiting", "jobId", parentId, "prev",
              "waiting-children")
      end
  end
  local function moveParentToWaitIfNeeded(parentQueueKey, parentKey, parentId, timestamp)
    if rcall("EXISTS", parentKey) == 1 then
      local parentWaitingChildrenKey = parentQueueKey .. ":waiting-children"
      if rcall("ZSCORE", parentWaitingChildrenKey, parentId) then    
        rcall("ZREM", parentWaitingChildrenKey, parentId)
        moveParentToWait(parentQueueKey, parentKey, parentId, timestamp)
      end
    end
  end
  local function moveParentToWaitIfNoPendingDependencies(parentQueueKey, parentDependenciesKey, parentKey,
    parentId, timestamp)
    local doNotHavePendingDependencies = rcall("SCARD", parentDependenciesKey) == 0
    if doNotHavePendingDependencies then
      moveParentToWaitIfNeeded(parentQueueKey, parentKey, parentId, timestamp)
    end
  end

  local handleChildFailureAndMoveParentToWait = function (parentQueueKey, parentKey, parentId, jobIdKey, timestamp)
    if rcall("EXISTS", parentKey) == 1 then
      local parentWaitingChildrenKey = parentQueueKey .. ":waiting-children"
      local parentDelayedKey = parentQueueKey .. ":delayed"
      local parentWaitingChildrenOrDelayedKey
      if rcall("ZSCORE", parentWaitingChildrenKey, parentId) then
        parentWaitingChildrenOrDelayedKey = parentWaitingChildrenKey
      elseif rcall("ZSCORE", parentDelayedKey, parentId) then
        parentWaitingChildrenOrDelayedKey = parentDelayedKey
        rcall("HSET", parentKey, "delay", 0)
      end

      if parentWaitingChildrenOrDelayedKey then
        rcall("ZREM", parentWaitingChildrenOrDelayedKey, parentId)
        local deferredFailure = "child " .. jobIdKey .. " failed"
        rcall("HSET", parentKey, "defa", deferredFailure)
        moveParentToWait(parentQueueKey, parentKey, parentId, timestamp)
      else
        if not rcall("ZSCORE", parentQueueKey .. ":failed", parentId) then
          local deferredFailure = "child " .. jobIdKey .. " failed"
          rcall("HSET", parentKey, "defa", deferredFailure)
        end
      end
    end
  end

  local moveChildFromDependenciesIfNeeded = function (rawParentData, childKey, failedReason, timestamp)
    if rawParentData then
      local parentData = cjson.decode(rawParentData)
      local parentKey = parentData['queueKey'] .. ':' .. parentData['id']
      local parentDependenciesChildrenKey = parentKey .. ":dependencies"
      if parentData['fpof'] then
        if rcall("SREM", parentDependenciesChildrenKey, childKey) == 1 then
          local parentUnsuccessfulChildrenKey = parentKey .. ":unsuccessful"
          rcall("ZADD", parentUnsuccessfulChildrenKey, timestamp, childKey)
          handleChildFailureAndMoveParentToWait(
            parentData['queueKey'],
            parentKey,
            parentData['id'],
            childKey,
            timestamp
          )
        end
      elseif parentData['cpof'] then
        if rcall("SREM", parentDependenciesChildrenKey, childKey) == 1 then
          local parentFailedChildrenKey = parentKey .. ":failed"
          rcall("HSET", parentFailedChildrenKey, childKey, failedReason)
          moveParentToWaitIfNeeded(parentData['queueKey'], parentKey, parentData['id'], timestamp)
        end
      elseif parentData['idof'] or parentData['rdof'] then
        if rcall("SREM", parentDependenciesChildrenKey, childKey) == 1 then
          moveParentToWaitIfNoPendingDependencies(parentData['queueKey'], parentDependenciesChildrenKey,
            parentKey, parentData['id'], timestamp)
          if parentData['idof'] then
            local parentFailedChildrenKey = parentKey .. ":failed"
            rcall("HSET", parentFailedChildrenKey, childKey, failedReason)
          end
        end
      end
    end
  end
  local function removeJobKeys(jobKey)
    return rcall("DEL", jobKey, jobKey .. ':logs', jobKey .. ':dependencies',
      jobKey .. ':processed', jobKey .. ':failed', jobKey .. ':unsuccessful')
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

  -- Starts a parent that waits for no child any more. BullMQ has it wait at the head of the list in any case, and without
  -- an event; here it is delayed or has its priority as its options say, as after its last child has ended.
  local function startReleasedParent(prefix, id)
    local options = rcall("HMGET", prefix .. id, "priority", "delay", "jobgate:group")
    local priority, delay = tonumber(options[1]) or 0, tonumber(options[2]) or 0
    local events, marker = prefix .. "events", prefix .. "marker"
    if delay > 0 then
      local delayed, dueAt = prefix .. "delayed", tonumber(callersTime) + delay
      rcall("ZADD", delayed, dueAt * 0x1000, id)
      rcall("ZADD", marker, rcall("ZRANGE", delayed, 0, 0, "WITHSCORES")[2] / 0x1000, "1")
      groupEvent(events, nil, options[3], "delayed", id, "delay", string.format("%.0f", dueAt))
      return
    end
    local isPausedOrMaxed = isQueuePausedOrMaxed(prefix .. "meta", prefix .. "active")
    if options[3] then
      groupPlaces().waitInGroup(prefix, options[3], id, priority, true)
      rcall("ZADD", marker, 0, "0")
    elseif priority > 0 then
      rcall("ZADD", prefix .. "prioritized", getPriorityScore(priority, prefix .. "pc"), id)
      addBaseMarkerIfNeeded(marker, isPausedOrMaxed)
    else
      addJobInTargetList(prefix .. "wait", marker, "RPUSH", isPausedOrMaxed, id)
    end
    groupEvent(events, nil, options[3], "waiting", id, "prev", "waiting-children")
  end

  -- Takes a job from the children that its parent waits for. A parent that waits for no other one starts or, where all
  -- the family is removed (`hard`) and it is of the same queue, is removed as well. Returns whether the parent waited
  -- for the job. BullMQ's functions call it by this name.
  local function removeParentDependencyKey(jobKey, hard, parentKey, baseKey, deduplicationId)
    if not parentKey then
      local parent = rcall("HMGET", jobKey, "parentKey", "deid")
      parentKey, deduplicationId = parent[1], parent[2]
      if type(parentKey) ~= "string" or parentKey == "" or rcall("EXISTS", parentKey) == 0 then return false end
    end
    local dependencies = parentKey .. ":dependencies"
    if rcall("SREM", dependencies, jobKey) == 0 then return false end
    if rcall("SCARD", dependencies) > 0 then return true end
    local id = getJobIdFromKey(parentKey)
    local prefix = getJobKeyPrefix(parentKey, id)
    if rcall("ZREM", prefix .. "waiting-children", id) == 0 then return true end
    if hard and prefix == baseKey then
      removeParentDependencyKey(parentKey, hard, nil, baseKey, nil)
      removeJobKeys(parentKey)
      if deduplicationId then rcall("DEL", prefix .. "de:" .. deduplicationId) end
    else
      startReleasedParent(prefix, id)
    end
    return true
  end

  local function updateParentDepsIfNeeded(parentKey, parentQueueKey, parentDependenciesKey,
    parentId, jobIdKey, returnvalue, timestamp )
    local processedSet = parentKey .. ":processed"
    rcall("HSET", processedSet, jobIdKey, returnvalue)
    moveParentToWaitIfNoPendingDependencies(parentQueueKey, parentDependenciesKey, parentKey, parentId, timestamp)
  end

  -- Lets the parent of a job that ended continue as the options of the job say. A record of a parent that cannot be read
  -- counts as none.
  local function endChild(job, target, value, parentKey, parentJson, timestamp)
    local isJson, parent = pcall(cjson.decode, parentJson or "null")
    local isRecord = isJson and type(parent) == "table" and type(parent["id"]) == "string" and
      type(parent["queueKey"]) == "string"
    if target == "failed" then
      if isRecord then moveChildFromDependenciesIfNeeded(parentJson, job, value, timestamp) end
      return
    end
    if not parentKey or not string.find(parentKey, ":", 1, true) then return end
    local id, queueKey
    if isRecord then
      id, queueKey = parent["id"], parent["queueKey"]
    else
      id = getJobIdFromKey(parentKey)
      queueKey = getJobKeyPrefix(parentKey, ":" .. id)
    end
    local dependencies = parentKey .. ":dependencies"
    if rcall("SREM", dependencies, job) == 1 then
      updateParentDepsIfNeeded(parentKey, queueKey, dependencies, id, job, value, timestamp)
    end
  end
  local function batches(n, batchSize)
    local i = 0

    return function()
      local from = i * batchSize + 1
      i = i + 1
      if (from <= n) then
        local to = math.min(from + batchSize - 1, n)
        return from, to
      end
    end
  end
  local function removeDeduplicationKeyIfNeededOnRemoval(prefixKey,
    jobId, deduplicationId)
    if deduplicationId then
      local deduplicationKey = prefixKey .. "de:" .. deduplicationId
      local currentJobId = rcall('GET', deduplicationKey)
      if currentJobId and currentJobId == jobId then
        rcall("DEL", deduplicationKey)
        -- Also clean up any pending dedup-next data for this dedup ID
        rcall("DEL", prefixKey .. "dn:" .. deduplicationId)
        return 1
      end
    end
  end

  local function removeJob(jobId, hard, baseKey, shouldRemoveDeduplicationKey)
    local jobKey = baseKey .. jobId
    removeParentDependencyKey(jobKey, hard, nil, baseKey)
    if shouldRemoveDeduplicationKey then
      local deduplicationId = rcall("HGET", jobKey, "deid")
      removeDeduplicationKeyIfNeededOnRemoval(baseKey, jobId, deduplicationId)
    end
    removeJobKeys(jobKey)
  end

  local function removeJobsByMaxAge(timestamp, maxAge, targetSet, prefix, maxLimit)
    local start = timestamp - maxAge * 1000
    local jobIds = rcall("ZREVRANGEBYSCORE", targetSet, start, "-inf", "LIMIT", 0, maxLimit)
    for i, jobId in ipairs(jobIds) do
      removeJob(jobId, false, prefix, false --[[remove debounce key]])
    end
    if #jobIds > 0 then
      if #jobIds < maxLimit then
        rcall("ZREMRANGEBYSCORE", targetSet, "-inf", start)
      else
        for from, to in batches(#jobIds, 7000) do
          rcall("ZREM", targetSet, unpack(jobIds, from, to))
        end
      end
    end
  end

  local function removeJobsByMaxCount(maxCount, targetSet, prefix)
    local start = maxCount
    local jobIds = rcall("ZREVRANGE", targetSet, start, -1)
    for i, jobId in ipairs(jobIds) do
      removeJob(jobId, false, prefix, false --[[remove debounce key]])
    end
    rcall("ZREMRANGEBYRANK", targetSet, 0, -(maxCount + 1))
  end
  functions = {
    endDeduplication = endDeduplication,
    endChild = endChild,
    forgetChild = removeParentDependencyKey,
    removeOlder = removeJobsByMaxAge,
    removeBeyond = removeJobsByMaxCount,
  }
  return functions
end
-- Which jobs are kept when one ends. The options of the job, as text, take precedence over its worker, as in
-- BullMQ; unreadable options have no effect.
local function retention(text, status, ofWorker)
    local name = status == "completed" and "removeOnComplete" or "removeOnFail"
    if not text or not string.find(text, name, 1, true) then
        return ofWorker
    end
    local decoded, jobOpts = pcall(cjson.decode, text)
    local own = decoded and type(jobOpts) == "table" and jobOpts[name]
    if jobOpts[name] == nil or own == cjson.null then
        return ofWorker
    elseif type(own) == "boolean" then
        return {count = own and 0 or -1}
    elseif type(own) == "number" then
        return {count = own < 0 and math.ceil(own) or math.floor(own)}
    elseif type(own) ~= "table" then
        return ofWorker
    end
    local keep = {}
    for _, field in ipairs({"count", "age", "limit"}) do
        local value = own[field]
        if type(value) == "number" and value == value and math.abs(value) ~= math.huge then
            keep[field] = field == "age" and value or (value < 0 and math.ceil(value) or math.floor(value))
        end
    end
    return keep
end

-- The jobs of the run that ended, by their target, before they are kept: under one rule, with their scores.
local ended = {completed = {rule = {}, scores = {}}, failed = {rule = {}, scores = {}}}

-- Failed jobs that are to be removed block their groups no more.
local function freeGroupsOf(queue, ids)
  for _, id in ipairs(ids) do
    local group = rcall("HGET", queue.prefix .. id, "jobgate:group")
    if group then freeGroup(queue.prefix, group, id) end
  end
end

local function keepThose(queue, target)
  local set, rule, prefix = queue[target], ended[target].rule, queue.prefix
  rcall("ZADD", set, unpack(ended[target].scores))
  ended[target].scores = {}
  local mayFree = target == "failed" and queue.isGrouped and rcall("EXISTS", prefix .. "jobgate:group-blocks") == 1
  if rule.age then
    local most = rule.limit or 1000
    if mayFree then
      freeGroupsOf(queue, rcall("ZREVRANGEBYSCORE", set, queue.timestamp - rule.age * 1000, "-inf", "LIMIT", 0, most))
    end
    library().removeOlder(queue.timestamp, rule.age, set, prefix, most)
  end
  if rule.count and rule.count > 0 then
    if mayFree then freeGroupsOf(queue, rcall("ZREVRANGE", set, rule.count, -1)) end
    library().removeBeyond(rule.count, set, prefix)
  end
end

-- Keeps a job that ended. Jobs that end one after the other under the same rule are kept together, unless it bounds
-- how many each of them removes. The run calls `keepEnded` at last.
local function keep(queue, target, id, rule)
  local before = ended[target]
  if before.scores[1] and (rule.count ~= before.rule.count or rule.age ~= before.rule.age or rule.limit) then
    keepThose(queue, target)
  end
  before.rule = rule
  before.scores[#before.scores + 1] = queue.timestamp
  before.scores[#before.scores + 1] = id
end

local function keepEnded(queue)
  if ended.completed.scores[1] then keepThose(queue, "completed") end
  if ended.failed.scores[1] then keepThose(queue, "failed") end
end

-- Ends a job for good that no list and no set of its queue holds any more: its deduplication, its parent, whether it is
-- kept, and the event. It is the same for every ending: of a call, by a report, by a cancellation, of its time to start.
-- Returns whether the job is kept: then the run writes its ending to the hash, and calls `keepEnded` after its last job.
--
-- target: "completed" or "failed", value: what it returned or why it failed, record: its fields parentKey, parent, deid
-- and opts, ofWorker: the retention unless the job has its own, prev: its state before, group: that of the job, or false;
-- it is looked up unless it is given.
local function finish(queue, id, target, value, record, ofWorker, prev, group)
  callersTime = queue.timestamp
  local job = queue.prefix .. id
  if group == nil then group = queue.isGrouped and rcall("HGET", job, "jobgate:group") end
  local parentKey, parentJson, deduplicationId = record[1], record[2], record[3]
  if parentKey == "" then parentKey = false end
  if deduplicationId then library().endDeduplication(queue, deduplicationId, id) end
  if parentKey or parentJson then
    library().endChild(job, target, value, parentKey, parentJson, queue.timestamp)
  end
  local rule = retention(record[4], target, ofWorker)
  local isKept = rule.count ~= 0
  if isKept then
    keep(queue, target, id, rule)
  else
    rcall("DEL", job, job .. ":logs", job .. ":dependencies", job .. ":processed", job .. ":failed",
      job .. ":unsuccessful")
    -- BullMQ has the parent of a job that is not kept forget it.
    if parentKey then library().forgetChild(job, false, parentKey) end
  end
  local field, text = "returnvalue", nil
  if target == "completed" then text = eventValue(value) else field, text = "failedReason", eventText(value) end
  if group then
    rcall("XADD", queue.events, "*", "event", target, "jobId", id, field, text, "prev", prev, "group", group)
  else
    rcall("XADD", queue.events, "*", "event", target, "jobId", id, field, text, "prev", prev)
  end
  return isKept
end
-- A count of a job and one; a count that is no integer begins anew.
local function oneMore(field)
  return string.format("%.0f", (field and string.find(field, "^%-?%d+$") and field or 0) + 1)
end
-- Remembers the report on an attempt, and removes its acceptance. Its first write takes no memory.
local function rememberReport(memory, accepted, acceptances, report, jobId)
  if rcall("ZREM", accepted, jobId) == 1 then rcall("HDEL", acceptances, jobId) end
  rcall("SET", memory, report, "PX", 60000)
end
-- Behind a queue's prefix, and before the id of a scheduler: its record. The ids of its jobs begin with it as well, so
-- that other jobs cost no more than a look at their ids.
local REPEAT = "repeat:"

local function isOfScheduler(jobId) return string.sub(jobId, 1, 7) == "repeat:" end

local slotFunctions

-- What the start and the end of a job of a scheduler need: mayStart and noteEnd. It costs nothing in a run without one.
local function slots()
  if slotFunctions then return slotFunctions end
  -- How long (ms) a job that was put aside waits: the claimant removes it at once unless it dies.
  local ASIDE = 1000

  -- Most active jobs that are looked through for one of a native worker, in about a millisecond.
  local MOST_ACTIVE = 10000

  -- The scheduler that the id of a job names, or nothing, and the slot that it names then.
  local function schedulerOf(jobId)
    if not isOfScheduler(jobId) then return nil end
    return string.match(jobId, "^" .. REPEAT .. "(.+):%d+$")
  end
  local function slotOf(jobId) return tonumber(string.match(jobId, "%d+$")) end

  -- Whether the job before the one of a slot had not ended when the slot came.
  local function overlaps(prefix, scheduler, slot, jobId, last, ended)
    if last then
      local before = rcall("HMGET", prefix .. last, "timestamp", "finishedOn")
      if before[1] and not before[2] then return true end
      if tonumber(before[2] or ended or 0) > slot then return true end
    end
    -- Native workers do not note what they take: that is a later job, and older ones are retried by hand.
    local noted = last and slotOf(last) or 0
    for _, id in ipairs(rcall("LRANGE", prefix .. "active", 0, MOST_ACTIVE - 1)) do
      if id ~= jobId and schedulerOf(id) == scheduler and slotOf(id) > noted then return true end
    end
    return false
  end

  -- Whether a job that was taken, and is among the active ones, may start. One of a scheduler that skips slots may
  -- not when the job before it had not ended when its slot came: it is put aside then. Otherwise the job is noted as the
  -- last one of its scheduler.
  local function mayStart(prefix, jobId, timestamp)
    local scheduler = schedulerOf(jobId)
    if not scheduler then return true end
    local record = prefix .. REPEAT .. scheduler
    local kept = redis.pcall("HMGET", record, "ic", "jobgate:overlap", "jobgate:last", "jobgate:last-ended")
    if kept["err"] or not kept[1] or kept[3] == jobId then return true end
    local slot, last = slotOf(jobId), kept[3]
    local isNext = tonumber(rcall("ZSCORE", prefix .. "repeat", scheduler)) == slot
    if last and not isNext and slot <= slotOf(last) then return true end
    if kept[2] == "skip" and overlaps(prefix, scheduler, slot, jobId, last, kept[4]) then
      rcall("LREM", prefix .. "active", 1, jobId)
      rcall("ZADD", prefix .. "delayed", (timestamp + ASIDE) * 0x1000, jobId)
      return false
    end
    rcall("HSET", record, "jobgate:last", jobId)
    rcall("HDEL", record, "jobgate:last-ended")
    return true
  end

  -- Notes when the last job of a scheduler ended, since it may be gone at once.
  local function noteEnd(prefix, jobId, timestamp)
    local scheduler = schedulerOf(jobId)
    local record = scheduler and prefix .. REPEAT .. scheduler
    if record and redis.pcall("HGET", record, "jobgate:last") == jobId then
      rcall("HSET", record, "jobgate:last-ended", timestamp)
    end
  end

  slotFunctions = {mayStart = mayStart, noteEnd = noteEnd}
  return slotFunctions
end
-- The recorded attempts of a job, if any, and one more. `rest` is what `endedCall` writes. A deferred attempt is
-- repeated under the same number.
local function withAttempt(recorded, startedAt, endedAt, rest)
  if not tonumber(startedAt) then startedAt = endedAt end
  local number, earlier = 1, ""
  if recorded then
    local start = (string.find(recorded, "\n[^\n]*$") or 0) + 1
    local last, code = string.match(recorded, '^%[(%d+),[^,]*,[^,]*,"(%a)"', start)
    number = (tonumber(last) or 0) + (code == "d" and 0 or 1)
    local _, others = string.gsub(recorded, "\n", "")
    if others >= 10 - 1 then recorded = string.sub(recorded, string.find(recorded, "\n", 1, true) + 1) end
    earlier = recorded .. "\n"
  end
  return earlier .. "[" .. number .. "," .. startedAt .. "," .. math.max(0, endedAt - startedAt) .. "," .. rest
end

-- Ends attempts of a queue in three passes: `takeFrom` takes its job from each attempt that holds it, `release` frees
-- these jobs, `finish` does to each what its ending says. `effects` are those that others must learn of.
--
-- ofWorker: how many ended jobs are kept unless they say so themselves.
local function endingsOf(queue, ofWorker, isReported)
  local endings = {effects = {}, released = {}, hasFinished = false, hasWaiting = false, hasDelayed = false,
    mayGate = false, frees = false}
  local prefix, timestamp = queue.prefix, queue.timestamp
  local records, locks, otherKinds = {}, {}, nil
  -- By its text, since most endings of a run have the same.
  local termsByText = {[""] = {how = "completed"}}
  local fields = {"parentKey", "parent", "deid", "opts", "processedOn", "jobgate:attempt", "atm", "jobgate:attempts"}
  if queue.isGrouped then fields[#fields + 1] = "jobgate:group" end

  local function note(step, effect)
    endings.effects[#endings.effects + 1] = step
    endings.effects[#endings.effects + 1] = effect
  end

  local function reportOf(id, how)
    return (how == "completed" and how or "failed") .. ":" .. id
  end

  local function termsIn(text)
    termsByText[text] = termsByText[text] or cjson.decode(text)
    return termsByText[text]
  end

  -- Returns whether the attempt held the job. A job that goes back stays active until then, which tells its place.
  function endings.takeFrom(step, id, token, text)
    local job, terms = prefix .. id, termsIn(text)
    local how = terms.how
    local record = redis.pcall("HMGET", job, unpack(fields))
    local isHeld = not record["err"] and (record[5] and record[6] == record[5] .. ":" .. token or
      rcall("GET", job .. ":lock") == token)
    if isHeld and (how == "deferred" or terms.half) then isHeld = rcall("LPOS", queue.active, id)
    elseif isHeld then isHeld = rcall("LREM", queue.active, -1, id) > 0 end
    if isHeld then
      records[step] = record
      endings.released[#endings.released + 1] = id
      locks[#locks + 1] = job .. ":lock"
      return true
    end
    if isReported and rcall("GET", prefix .. "jobgate:report-" .. token) == reportOf(id, how) then note(step, "repeated") end
    return false
  end

  function endings.release(maxEvents)
    rcall("SREM", queue.stalled, unpack(endings.released))
    rcall("DEL", unpack(locks))
    if queue.isGrouped then rcall("HDEL", prefix .. "jobgate:group-running", unpack(endings.released)) end
    -- Before the events of this run, so that it trims none of its own.
    rcall("XTRIM", queue.events, "MAXLEN", "~", maxEvents)
  end

  -- The functions of other endings than completions, which are not defined in a run without one.
  local function others()
    if otherKinds then return otherKinds end

    -- The reasons of the failures of a job, the last ones, with one more.
    local function withReason(stacktrace, reason)
      local isList, reasons = pcall(cjson.decode, stacktrace or "[]")
      if not isList or type(reasons) ~= "table" then reasons = {} end
      reasons[#reasons + 1] = reason
      while #reasons > 10 do table.remove(reasons, 1) end
      return cjson.encode(reasons)
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

    -- Holds a queue for some ms; a longer hold stays. Returns until when, and whether it was not held
    -- before.
    local function hold(prefix, duration)
        local gate, meta = prefix .. "jobgate:gate", prefix .. "meta"
        -- A write that takes no memory: a store whose memory is used up refuses a script that begins with another.
        rcall("SREM", prefix .. "stalled", "")
        enterGate(prefix)
        local now = storeTime()
        local before = tonumber(rcall("HGET", gate, "heldUntil") or "") or 0
        local till = math.max(before, math.floor(now + duration))
        rcall("HSET", gate, "heldUntil", string.format("%.0f", till))
        if before <= now then
            rcall("HSET", gate, "heldSince", string.format("%.0f", math.floor(now)))
        end
        if till > before then
            local maxEvents = rcall("HGET", meta, "opts.maxLenEvents") or "<events kept>"
            rcall("XADD", prefix .. "events", "MAXLEN", "~", maxEvents, "*", "event", "held", "until", till)
        end
        return till, before <= now
    end

    -- Closes the breaker and forgets what was counted.
    local function closeBreaker(prefix)
        rcall("DEL", prefix .. "jobgate:gate-failed")
        rcall("HDEL", prefix .. "jobgate:gate", "failed", "openUntil", "openFor", "openSince", "openReason", "probe", "probeJob")
        leaveGate(prefix)
    end

    -- Applies the verdict on a call to the breaker of the queue. Returns the move that other replicas must learn of, if any.
    --
    -- verdict: isDown, isOfProbe (it counts only where the attempt is the probe), and of a call that found the endpoint
    -- down failures, openFor, maxOpenFor and reason (docs: Verdict).
    local function judge(prefix, jobId, token, verdict)
      local gate, failed, meta = prefix .. "jobgate:gate", prefix .. "jobgate:gate-failed", prefix .. "meta"
      if rcall("HEXISTS", meta, "jobgate:gate") == 0 then
        if not verdict.isDown then return nil end
        -- What is there is that of a queue of the same name that is gone.
        rcall("DEL", gate, failed)
      end
      local state = rcall("HMGET", gate, "openFor", "probe", "failed")
      local openFor = tonumber(state[1])
      if openFor and state[2] ~= token or not openFor and verdict.isOfProbe then return nil end
      if not verdict.isDown then
        closeBreaker(prefix)
        return openFor and "closed" or nil
      end
      local time, move = rcall("TIME"), nil
      local now = tonumber(time[1]) * 1000 + tonumber(time[2]) / 1000
      if openFor then
        openFor = math.min(2 * openFor, verdict.maxOpenFor)
        rcall("HDEL", gate, "probe", "probeJob")
      else
        if not state[3] then rcall("DEL", failed) end
        rcall("SADD", failed, jobId)
        rcall("HSET", meta, "jobgate:gate", 1)
        local count = rcall("SCARD", failed)
        if count < verdict.failures then
          rcall("HSET", gate, "failed", count)
          return nil
        end
        rcall("DEL", failed)
        rcall("HDEL", gate, "failed")
        openFor = verdict.openFor
        rcall("HSET", gate, "openSince", string.format("%.0f", now))
        move = "opened"
      end
      rcall("HSET", gate, "openUntil", string.format("%.0f", math.ceil(now + openFor)), "openFor",
        string.format("%.0f", openFor), "openReason", verdict.reason)
      return move
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

    -- The options of a job; those that cannot be read are none.
    local function optionsOf(text)
      local isJson, options = pcall(cjson.decode, text or "null")
      return isJson and type(options) == "table" and options or {}
    end

    -- Ends attempts otherwise than by a completion.
    local function otherEndings(queue, ofWorker, endings)
      local prefix, timestamp = queue.prefix, queue.timestamp

      -- An attempt that never started goes on no record.
      local function record(job, held, call)
        if call ~= "" and held[5] then
          rcall("HSET", job, "jobgate:attempts", withAttempt(held[8], held[5], timestamp, call))
        end
      end

      local function writeFailure(job, reason, held, call)
        local stacktrace = withReason(rcall("HGET", job, "stacktrace"), reason)
        rcall("HDEL", job, "jobgate:attempt", "pb", "jobgate:pulled-by")
        rcall("HSET", job, "atm", oneMore(held[7]), "failedReason", reason, "stacktrace", stacktrace)
        record(job, held, call)
      end

      local others = {}

      -- Returns the move of the breaker, if any.
      function others.judge(id, token, verdict)
        return judge(prefix, id, token, verdict)
      end

      function others.fail(id, reason, held, call)
        local job, made = prefix .. id, oneMore(held[7])
        local group = held[9]
        if finish(queue, id, "failed", reason, held, ofWorker, "active") then
          writeFailure(job, reason, held, call)
          rcall("HDEL", job, "defa")
          rcall("HSET", job, "finishedOn", timestamp)
          if group then blockGroup(queue, group, id) end
        end
        if tonumber(made) >= (tonumber(optionsOf(held[4])["attempts"]) or 0) then
          rcall("XADD", queue.events, "*", "event", "retries-exhausted", "jobId", id, "attemptsMade", made)
        end
      end

      -- The call of the job was split: it goes back with the others of its half.
      local function putBackInHalf(id, half, group)
        rcall("HSET", prefix .. id, "jobgate:half", half)
        giveBack(queue, id, 0, group)
        endings.hasWaiting = true
      end

      function others.retry(id, reason, held, call, terms)
        local delay = terms.delay
        writeFailure(prefix .. id, reason, held, call)
        if terms.half then
          putBackInHalf(id, terms.half, held[9])
          return
        end
        if delay > 0 then
          delayJob(queue, id, delay, held[9])
        else
          requeue(queue, id, optionsOf(held[4])["lifo"] == true, held[9])
        end
        endings.hasDelayed = endings.hasDelayed or delay > 0
        endings.hasWaiting = endings.hasWaiting or delay == 0
      end

      -- The attempt does not count. Returns whether a hold of the queue begins.
      function others.defer(id, held, call, terms)
        local job, delay, group = prefix .. id, terms.delay, held[9]
        local holdsQueue = terms.holdsQueue or terms.holdsGroup and not group
        record(job, held, call)
        rcall("HDEL", job, "jobgate:attempt", "pb", "jobgate:pulled-by")
        if terms.half then
          putBackInHalf(id, terms.half, group)
          return false
        end
        rcall("HINCRBY", job, "jobgate:deferrals", 1)
        groupEvent(queue.events, nil, group, "deferred", id)
        local begins = holdsQueue and delay > 0 and select(2, hold(prefix, delay))
        if terms.holdsGroup and group and delay > 0 then holdGroup(prefix, group, delay) end
        local goesBack = holdsQueue or terms.holdsGroup or delay == 0
        giveBack(queue, id, goesBack and 0 or delay, group)
        endings.hasDelayed = endings.hasDelayed or not goesBack
        endings.hasWaiting = endings.hasWaiting or goesBack
        endings.mayGate = true
        return begins
      end

      return others
    end
    otherKinds = otherEndings(queue, ofWorker, endings)
    return otherKinds
  end

  local function complete(id, value, record, call)
    if not finish(queue, id, "completed", value, record, ofWorker, "active", record[9]) then return end
    local job, made = prefix .. id, oneMore(record[7])
    rcall("HDEL", job, "jobgate:attempt", "pb", "jobgate:pulled-by", "defa")
    if call == "" then
      rcall("HSET", job, "atm", made, "returnvalue", value, "finishedOn", timestamp)
    else
      rcall("HSET", job, "atm", made, "returnvalue", value, "finishedOn", timestamp,
        "jobgate:attempts", withAttempt(record[8], record[5], timestamp, call))
    end
  end

  local function applyVerdict(step, id, token, verdict)
    endings.mayGate = true
    local move = others().judge(id, token, verdict)
    if move then note(step, move) end
  end

  function endings.finish(step, id, token, value, call, text)
    local terms, record = termsIn(text), records[step]
    local how, verdict = terms.how, terms.verdict
    if verdict and (verdict.isDown or queue.hasGate or endings.mayGate) then applyVerdict(step, id, token, verdict) end
    if how == "completed" then complete(id, value, record, call)
    elseif how == "failed" then others().fail(id, value, record, call)
    elseif how == "retry" then others().retry(id, value, record, call, terms)
    elseif others().defer(id, record, call, terms) then note(step, "held") end
    local group = record[9]
    if group and groupPlaces().freePlace(prefix, group) then endings.frees = true end
    if how == "completed" or how == "failed" then
      endings.hasFinished = true
      if isOfScheduler(id) then slots().noteEnd(prefix, id, timestamp) end
    end
    if isReported then
      rememberReport(prefix .. "jobgate:report-" .. token, prefix .. "jobgate:accepted", prefix .. "jobgate:acceptances", reportOf(id, how), id)
    end
  end

  return endings
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
local function moveJobFromPrioritizedToActive(priorityKey, activeKey, priorityCounterKey)
  local prioritizedJob = rcall("ZPOPMIN", priorityKey)
  if #prioritizedJob > 0 then
    rcall("LPUSH", activeKey, prioritizedJob[1])
    return prioritizedJob[1]
  else
    rcall("DEL", priorityCounterKey)
  end
end
-- The gate of a queue, where it has one: the reasons to give claims no job, and what ends as a job starts.
local function gateOf(queue, claimant)
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

  -- Closes the breaker and forgets what was counted.
  local function closeBreaker(prefix)
      rcall("DEL", prefix .. "jobgate:gate-failed")
      rcall("HDEL", prefix .. "jobgate:gate", "failed", "openUntil", "openFor", "openSince", "openReason", "probe", "probeJob")
      leaveGate(prefix)
  end

  -- Whether the attempt that decides still runs.
  local function isProbing(prefix, token, jobId)
    local start = rcall("HMGET", prefix .. jobId, "processedOn", "jobgate:attempt")
    return start[1] and start[2] == start[1] .. ":" .. token and rcall("LPOS", prefix .. "active", jobId)
  end

  -- For how long (ms) the breaker lets no call start, and whether a call that starts now would be a probe. A claim of a
  -- worker without a breaker leaves none behind.
  local function breakerClosedFor(prefix, hasBreaker)
    if not hasBreaker then
      closeBreaker(prefix)
      return 0, false
    end
    local open = rcall("HMGET", prefix .. "jobgate:gate", "openUntil", "probe", "probeJob")
    if not open[1] then return 0, false end
    local left = math.ceil(tonumber(open[1]) - storeTime())
    if left > 0 then return left, false end
    if open[2] and isProbing(prefix, open[2], open[3]) then return 1000, false end
    return 0, true
  end

  local function noteProbe(prefix, token, jobId)
    rcall("HSET", prefix .. "jobgate:gate", "probe", token, "probeJob", jobId)
  end

  -- Until when a queue is held; nothing when it is not, or no more.
  local function heldUntil(prefix)
      local till = tonumber(rcall("HGET", prefix .. "jobgate:gate", "heldUntil") or "")
      return till and till > storeTime() and till or nil
  end

  -- Since and until when a queue is held; nothing when it is not, or no more.
  local function heldSpan(prefix)
      local till = heldUntil(prefix)
      if till then
          return tonumber(rcall("HGET", prefix .. "jobgate:gate", "heldSince")), till
      end
  end

  -- Ends the hold of a queue, and removes a gate that nothing else needs. Answers whether there was a hold.
  local function endHold(prefix)
      local wasHeld = rcall("HDEL", prefix .. "jobgate:gate", "heldUntil", "heldSince") > 0
      leaveGate(prefix)
      return wasHeld
  end

  -- How long (ms) claims get no job. Removes the reasons that are over.
  local function closedFor(prefix)
      local till = heldUntil(prefix)
      if till then
          return math.max(1, math.ceil(till - storeTime()))
      end
      endHold(prefix)
      return 0
  end

  -- Has a call count for the concurrency for some ms more at the longest, although its job is gone.
  local function keepPlace(prefix, token, duration)
      local ending = prefix .. "jobgate:gate-ending"
      enterGate(prefix)
      rcall("ZADD", ending, storeTime() + duration, token)
      if rcall("PTTL", ending) < duration then
          rcall("PEXPIRE", ending, duration)
      end
  end

  -- How many calls count for the concurrency of a queue that has a gate, although their jobs are gone.
  local function endingCalls(prefix)
      rcall("ZREMRANGEBYSCORE", prefix .. "jobgate:gate-ending", "-inf", storeTime())
      return rcall("ZCARD", prefix .. "jobgate:gate-ending")
  end

  -- Forgets in which order jobs went back, as one starts.
  local function forgetOrder(prefix)
      if rcall("DEL", prefix .. "jobgate:gate-started", prefix .. "jobgate:gate-returned") > 0 then
          leaveGate(prefix)
      end
  end
  local isProbe
  local gate = {}
  function gate.endingCalls() return endingCalls(queue.prefix) end
  function gate.closedFor()
    local closed = closedFor(queue.prefix)
    if closed > 0 or claimant.hasBreaker == nil then return closed end
    closed, isProbe = breakerClosedFor(queue.prefix, claimant.hasBreaker)
    return closed
  end
  function gate.noteStart(id, token)
    forgetOrder(queue.prefix)
    if isProbe then noteProbe(queue.prefix, token, id) end
  end
  return gate
end

-- The limiter of the worker or of the queue, where there is one.
local function limiterOf(queue, claimant)
  local function getRateLimitTTL(maxJobs, rateLimiterKey)
    if maxJobs and maxJobs <= tonumber(rcall("GET", rateLimiterKey) or 0) then
      local pttl = rcall("PTTL", rateLimiterKey)

      if pttl == 0 then
        rcall("DEL", rateLimiterKey)
      end

      if pttl > 0 then
        return pttl
      end
    end
    return 0
  end

  -- BullMQ's limiter counts in fixed windows, the first of which begins with a call: two of them side by side hold nearly
  -- twice as many calls within one `duration`. So the times of the last starts are kept as well, by the store's clock,
  -- which counts for all replicas. A job that is released without a call counts too. The counter of BullMQ stays, for
  -- its workers on the same queue.

  -- For how long (ms) the latest starts let no other one begin. limiter: max, window.
  local function untilNextStart(queue, limiter)
    local starts = queue.prefix .. "jobgate:starts"
    local last = tonumber(rcall("LINDEX", starts, -limiter.max) or "")
    if not last then return 0 end
    local now = storeTime()
    -- A clock that was put back, as by a failover, must not stop the queue.
    if last > now then
      rcall("DEL", starts)
      return 0
    end
    return math.max(0, math.ceil(last + limiter.window - now))
  end

  -- A window of BullMQ's that began under a longer duration would hold longer than any does now. Its value is the
  -- largest integer when somebody stopped the queue for a time: that is left alone.
  local function withinDuration(ttl, queue, limiter)
    if not limiter or ttl <= limiter.duration or tonumber(rcall("GET", queue.limiter)) >= 9007199254740991 then return ttl end
    rcall("DEL", queue.limiter)
    return 0
  end

  -- For how long (ms) the limiter lets no job start. most: how many jobs the window of BullMQ may have, limiter: that of
  -- the worker, if it has one.
  local function limitedFor(queue, most, limiter)
    local ttl = withinDuration(getRateLimitTTL(most, queue.limiter), queue, limiter)
    return math.max(ttl, limiter and untilNextStart(queue, limiter) or 0)
  end

  -- Counts the start of a job. One that must fail makes no call, and does not count.
  local function countStart(queue, job, duration, limiter)
    if rcall("HEXISTS", job, "defa") == 1 then return end
    if limiter then
      local now, starts = storeTime(), queue.prefix .. "jobgate:starts"
      rcall("RPUSH", starts, string.format("%.3f", now))
      -- More go than come, so that the list holds no more than one window, also after it was made shorter.
      for _ = 1, 2 do
        if now - tonumber(rcall("LINDEX", starts, 0)) < limiter.window then break end
        rcall("LPOP", starts)
      end
      rcall("PEXPIRE", starts, limiter.window)
    end
    if rcall("INCR", queue.limiter) == 1 then
      rcall("PEXPIRE", queue.limiter, math.floor(math.abs(duration)))
    end
  end
  local limiter = claimant.limiter
  local most = tonumber(queue.max or limiter and limiter.max)
  return {
    closedFor = function() return limitedFor(queue, most, limiter) end,
    noteStart = function(job) countStart(queue, job, limiter and limiter.duration or queue.duration, limiter) end,
  }
end
-- Counts a start in the record of a job, which is that of HGETALL, and takes out of it what is on record of its attempts.
-- Returns how often the job has started.
local function countedStart(record, timestamp)
  local starts = 0
  for field = 1, #record, 2 do
    local name = record[field]
    if name == "ats" then starts = string.find(record[field + 1], "^%d+$") and record[field + 1] or 0
    elseif name == "jobgate:attempts" then record[field + 1] = "" end
  end
  starts = string.format("%.0f", starts + 1)
  local size = #record
  record[size + 1], record[size + 2], record[size + 3], record[size + 4] = "processedOn", timestamp, "ats", starts
  return starts
end
-- The score of a job among those with a priority, in the order of their adds. Beyond priority 2097151, which BullMQ does
-- not have, only every other number is exact.
local function getPriorityScore(priority, priorityCounterKey)
  local prioCounter = rcall("INCR", priorityCounterKey)
  if priority >= 0x200000 then return priority * 0x100000000 + (prioCounter % 0x100000000) * 2 end
  return priority * 0x100000000 + prioCounter % 0x100000000
end

-- Jobs that one run has wait at the most since they are due.
local MOST_DUE_JOBS = 1000

-- Moves the delayed jobs that are due first to where jobs are taken next: up to `most` to the head of the waiting list,
-- and those before the last of them to their places among those with a priority. BullMQ moves all that are due to the
-- tail; the specification wants them ahead of waiting jobs, in due order (JobOpts, rule 3). The others stay delayed until
-- a job can be taken.
local function moveDueJobsToHead(queue, most)
  local due = (queue.timestamp + 1) * 0x1000 - 1
  local ahead = {}
  for _ = 1, MOST_DUE_JOBS do
    local id = #ahead < most and rcall("ZRANGEBYSCORE", queue.delayed, 0, due, "LIMIT", 0, 1)[1]
    if not id then break end
    rcall("ZREM", queue.delayed, id)
    rcall("XADD", queue.events, "*", "event", "waiting", "jobId", id, "prev", "delayed")
    local job = queue.prefix .. id
    rcall("HSET", job, "delay", 0)
    local priority = tonumber(rcall("HGET", job, "priority")) or 0
    if priority > 0 and priority <= 0x200000 then
      rcall("ZADD", queue.prioritized, getPriorityScore(priority, queue.priorityCounter), id)
    else
      ahead[#ahead + 1] = id
    end
  end
  for at = #ahead, 1, -1 do rcall("RPUSH", queue.wait, ahead[at]) end
end
-- Until when the job of a record, as HGETALL answers it, must start; nothing when it may at any time.
local function expiryOf(record)
  for field = 1, #record, 2 do
    if record[field] == "jobgate:expires" then return tonumber(record[field + 1]) end
  end
end

-- A job that starts in time does not expire any more.
local function startedInTime(prefix, jobId)
  rcall("HDEL", prefix .. jobId, "jobgate:expires")
  rcall("ZREM", prefix .. "jobgate:expiring", jobId)
end

-- A job that did not start in time failed for good, so it may block its group.
local function blockItsGroup(queue, group, id)
  blockGroup(queue, group, id)
end

-- How the reason of a job begins that did not start in time.
local EXPIRED_AFTER = "Expired after "

-- Fails a job that no list and no other set of its queue holds any more. It stays among the expiring ones until the sweep
-- takes it out, which reports it. The retention is that of the job, since the run may not know its worker. The run
-- includes rules/finish before this file. Returns the reason.
local function failExpired(queue, id, expires, prev)
  local job = queue.prefix .. id
  -- The write that takes no memory goes first, or a store whose memory is used up refuses all of them.
  rcall("HDEL", job, "jobgate:expires")
  local record = rcall("HMGET", job, "parentKey", "parent", "deid", "opts", "timestamp")
  local reason = EXPIRED_AFTER .. string.format("%.0f", expires - record[5]) .. " ms"
  if finish(queue, id, "failed", reason, record, {}, prev) then
    rcall("HSET", job, "failedReason", reason, "finishedOn", queue.timestamp, "delay", 0)
    local group = rcall("HGET", job, "jobgate:group")
    if group then blockItsGroup(queue, group, id) end
  end
  return reason
end
-- The group of a job that is to be taken, as a job without one, and its cost. Jobs that native clients moved, and those of
-- native producers, are among the others. The record is that of HGETALL.
local function groupOfRecord(record)
  local group, cost, options = nil, 1, nil
  for field = 1, #record, 2 do
    local name = record[field]
    if name == "jobgate:group" then group = record[field + 1]
    elseif name == "jobgate:group-cost" then cost = tonumber(record[field + 1]) or 1
    elseif name == "opts" then options = record[field + 1] end
  end
  if not group and options and string.find(options, '"group"', 1, true) then
    local isJson, decoded = pcall(cjson.decode, options)
    local given = isJson and type(decoded) == "table" and decoded.group
    if type(given) == "table" and type(given.id) == "string" and given.id ~= "" then
      return given.id, tonumber(given.cost) or 1, true
    end
  end
  return group, cost
end
-- Adds that field. The store keeps children beside their parent, so it has to be asked for them; not for a job
-- that only has a number for an id, as most have, since jobs of flows are known by more.
local function markedParent(jobKey, jobId, record)
  if not string.find(jobId, "^%d+$") and rcall("EXISTS", jobKey .. ":dependencies", jobKey .. ":processed",
      jobKey .. ":failed", jobKey .. ":unsuccessful") > 0 then
    record[#record + 1] = "jobgate:parent"
    record[#record + 1] = "1"
  end
  return record
end

-- Most jobs that a run fails because their time to start is over. Beyond it, the claimant is woken to ask again.
local MOST_EXPIRED = 100

-- The turns of the groups of a queue that has some. They cost nothing in a run on a queue without any.
local function turnsOfGroups(queue, claimant)

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
  return turnsOf(queue, claimant.groups, claimant.count)
end

-- The call that the claims of a run fill, where it has several jobs.
local function batchOfClaims(queue, batch)
  -- How many calls run of a queue whose worker gets several jobs with one, besides the call named `own`: the tokens of the
  -- jobs that run name their calls, and a job without a token is a call of its own.
  local function runningCalls(prefix, active, hasGate, own)
    local calls, count = {[own] = true}, 0
    local function note(call)
      if not calls[call] then
        calls[call] = true
        count = count + 1
      end
    end
    for _, id in ipairs(rcall("LRANGE", active, 0, -1)) do
      local attempt = redis.pcall("HGET", prefix .. id, "jobgate:attempt")
      local token = type(attempt) == "string" and string.match(attempt, "^%d+:(.+)$")
      note(token and string.sub(token, 1, 10) or "job:" .. id)
    end
    for _, token in ipairs(hasGate and rcall("ZRANGE", prefix .. "jobgate:gate-ending", 0, -1) or {}) do
      note(string.sub(token, 1, 10))
    end
    return count
  end

  -- Waiting jobs that a run looks at for those of one name.
  local MOST_LOOKED_AT = 1000

  -- How claims fill one call with several jobs, as domain/attempts/batch has it.
  --
  -- batch: id (the beginning of the tokens), by ("queue", "group" or "name") and, once the call has a job, kin: what its
  -- jobs have in common (half, group, name).
  local function batchOf(queue, batch)
    local prefix, self, behind, taken = queue.prefix, {}, nil, 0

    -- How many calls run besides this one: what runs is all that is counted.
    function self.callsBeside()
      return runningCalls(prefix, queue.active, queue.hasGate, batch.id)
    end

    -- The turn of the group that is next for the call.
    function self.turn(turns)
      if batch.by == "group" and batch.kin then return turns.of(batch.kin.group or "") end
      return turns.next()
    end

    -- Whether the next job may join the call.
    function self.admits(id)
      local kin = batch.kin
      if not kin then return true end
      local job = redis.pcall("HMGET", prefix .. id, "jobgate:half", "name")
      if job["err"] or (job[1] or nil) ~= kin.half then return false end
      return batch.by ~= "name" or job[2] == kin.name
    end

    -- Where calls are by name, takes the next job that may join the call from behind others. Returns its id, if there is one.
    function self.takeFromBehind()
      if batch.by ~= "name" then return nil end
      if not behind then
        local ids = rcall("LRANGE", queue.wait, -MOST_LOOKED_AT, -1)
        behind = {}
        for at = #ids, 1, -1 do behind[#behind + 1] = self.admits(ids[at]) and ids[at] or nil end
        for _, id in ipairs(rcall("ZRANGE", queue.prioritized, 0, MOST_LOOKED_AT - #ids - 1)) do
          behind[#behind + 1] = self.admits(id) and id or nil
        end
      end
      taken = taken + 1
      local id = behind[taken]
      if not id then return nil end
      if rcall("LREM", queue.wait, -1, id) == 0 then rcall("ZREM", queue.prioritized, id) end
      rcall("LPUSH", queue.active, id)
      return id
    end

    -- The job starts with the call. The record is that of HGETALL.
    function self.joined(record, turn)
      if batch.kin then return end
      batch.kin = {group = turn and turn.group}
      for field = 1, #record, 2 do
        if record[field] == "name" then batch.kin.name = record[field + 1]
        elseif record[field] == "jobgate:half" then batch.kin.half = record[field + 1] end
      end
    end

    return self
  end
  return batchOf(queue, batch)
end

-- Takes jobs for the claims of a run: the same for calls and for pulls, for one and for many, alone and beside endings.
--
-- queue: that of rules/queue with isPaused, concurrency, max, duration and hasGate of its metadata; claimant: deadline
-- (epoch ms of the store, or nothing), count (of claims), concurrency, lockDuration, replica, groups (the defaults of groups as JSON), pulled (the register, for pulls), hasBreaker
-- (nothing for pulls), limiter (max, duration, window, or nothing), batch (see rules/batch, or nothing).
local function claimsOf(queue, claimant)
  local claims = {nextAt = 0, limitedFor = 0, wakes = false, hasTaken = false, isEmpty = false}
  local gate = queue.hasGate and gateOf(queue, claimant)
  local limiter = (queue.max or claimant.limiter) and limiterOf(queue, claimant)
  local room, hasDue, expirable = nil, false, MOST_EXPIRED
  local prefix, timestamp = queue.prefix, queue.timestamp
  local batch = claimant.batch and batchOfClaims(queue, claimant.batch)
  local turns

  local function isClosed()
    local closed = gate and gate.closedFor() or 0
    if closed == 0 and limiter then closed = limiter.closedFor() end
    claims.limitedFor = closed
    return closed > 0
  end

  -- How many jobs may start. The caller of a claim that is too late may still be waiting and read the answer as an empty
  -- queue, so one waiter is woken to ask again.
  local function measureRoom()
    room = 0
    if queue.isPaused then return end
    if claimant.deadline and storeTime() > claimant.deadline then
      claims.wakes = true
      return
    end
    local most = math.min(claimant.concurrency, queue.concurrency)
    if most < math.huge then room = most - rcall("LLEN", queue.active) - (gate and gate.endingCalls() or 0)
    else room = most end
    -- A call with several jobs is one for the concurrency.
    if batch and most < math.huge then room = (room > 0 or batch.callsBeside() < most) and math.huge or 0 end
    local earliest = tonumber(rcall("ZRANGE", queue.delayed, 0, 0, "WITHSCORES")[2])
    hasDue = earliest and earliest < (timestamp + 1) * 0x1000
    turns = queue.isGrouped and room > 0 and turnsOfGroups(queue, claimant)
  end

  -- None of the next jobs may join the call: another call may start at once.
  local function mayNotJoin()
    claims.isEmpty, claims.wakes = true, true
    claims.nextAt = tonumber(timestamp)
  end

  -- Whether the next job may join the call, where it has one.
  local function mayJoin(turn)
    local id = turn and turn.job and idInGroup(turn.job) or rcall("LINDEX", queue.wait, -1)
        or rcall("ZRANGE", queue.prioritized, 0, 0)[1]
    return not id or batch.admits(id)
  end

  -- To be called before active jobs are read or changed.
  local function writeTaken() if turns then turns.writeTaken() end end

  local function nextId(turn)
    if batch and not mayJoin(turn) then
      local id = not turns and batch.takeFromBehind()
      if not id then mayNotJoin() end
      return id
    end
    if turn and turn.job then return turns.take(turn) end
    writeTaken()
    local id = rcall("RPOPLPUSH", queue.wait, queue.active)
    -- Markers of older versions of BullMQ.
    while id and string.sub(id, 1, 2) == "0:" do
      rcall("LREM", queue.active, 1, id)
      id = rcall("RPOPLPUSH", queue.wait, queue.active)
    end
    return id or moveJobFromPrioritizedToActive(queue.prioritized, queue.active, queue.priorityCounter)
  end

  -- A job that was taken does not start.
  local function giveUp(id)
    writeTaken()
    rcall("LREM", queue.active, 1, id)
  end

  -- Starts a job. Answers its record, as it is from then on without what is on record of its attempts.
  local function start(id, job, record, token, turn, cost)
    room = room - 1
    claims.hasTaken = true
    if limiter then limiter.noteStart(job) end
    if gate then gate.noteStart(id, token) end
    if turn then turns.started(turn, id, cost) end
    if batch then batch.joined(record, turn) end
    local starts = countedStart(record, timestamp)
    rcall("SET", job .. ":lock", token, "PX", claimant.lockDuration)
    if turn and turn.group ~= "" then
      rcall("XADD", queue.events, "*", "event", "active", "jobId", id, "prev", "waiting", "group", turn.group)
    else
      rcall("XADD", queue.events, "*", "event", "active", "jobId", id, "prev", "waiting")
    end
    local attempt = timestamp .. ":" .. token
    if claimant.pulled then
      rcall("HSET", job, "processedOn", timestamp, "jobgate:attempt", attempt, "ats", starts, "pb", claimant.replica,
        "jobgate:pulled-by", token)
    else
      rcall("HSET", job, "processedOn", timestamp, "jobgate:attempt", attempt, "ats", starts, "pb", claimant.replica)
    end
    return markedParent(job, id, record)
  end

  -- Takes the next job. Answers its record and id, the id alone of one whose slot is to be skipped, or nothing.
  function claims.take(token)
    while expirable > 0 do
      if claims.isEmpty or (gate or limiter) and isClosed() then return nil end
      if not room then measureRoom() end
      if room <= 0 then return nil end
      local turn = turns and (batch and batch.turn(turns) or not batch and turns.next())
      -- A call with several jobs may pass over the first that is due.
      if hasDue and (not turns or turn and not turn.job) then moveDueJobsToHead(queue, batch and math.huge or 1) end
      local id = (turn or not turns) and nextId(turn)
      if claims.isEmpty then return nil end
      if not id and batch and turns and turns.next() then
        mayNotJoin()
        return nil
      end
      if not id then
        claims.isEmpty = true
        claims.nextAt = getNextDelayedTimestamp(queue.delayed) or 0
        local freeAt = turns and turns.nextAt()
        if freeAt then claims.nextAt = math.min(freeAt, claims.nextAt > 0 and claims.nextAt or freeAt) end
        if turns then
          claims.wakes = claims.wakes or turns.mayHaveMore
          groupPlaces().forgetTurns(prefix)
        end
        return nil
      end
      if isOfScheduler(id) then
        writeTaken()
        if not slots().mayStart(prefix, id, timestamp) then
          claims.wakes = true
          return {0, id}
        end
      end
      local job = prefix .. id
      local record = redis.pcall("HGETALL", job)
      local expires = not record["err"] and expiryOf(record)
      local group, cost, isForeign
      if turn and not record["err"] then group, cost, isForeign = groupOfRecord(record) end
      if group and not turn.job then
        giveUp(id)
        if isForeign then rcall("HSET", job, "jobgate:group", group, "jobgate:group-cost", cost) end
        groupPlaces().waitAgainInGroup(prefix, group, id)
      elseif record["err"] then
        giveUp(id)
        claims.wakes = true
      elseif expires and expires <= tonumber(timestamp) then
        giveUp(id)
        failExpired(queue, id, expires, "waiting")
        -- It may block its group.
        if turns then keepEnded(queue) end
        expirable = expirable - 1
      else
        if expires then startedInTime(prefix, id) end
        return {start(id, job, record, token, turn, cost), id}
      end
    end
    claims.wakes = true
    return nil
  end

  -- The run takes no further job. Native workers that are there take the next one as well.
  function claims.close()
    if not turns then return end
    if turns.areNativeThere() then turns.stage() end
    turns.write()
  end

  return claims
end

local FIRST, FIELDS, LOST, DONE = 15, 6, -1, 1
local count = (#ARGV - FIRST + 1) / FIELDS
local metadata = rcall("HMGET", KEYS[7], "paused", "concurrency", "max", "duration", "opts.maxLenEvents", "jobgate:gate", "jobgate:groups")
local queue = {
  prefix = ARGV[1], timestamp = ARGV[2], wait = KEYS[1], active = KEYS[2], prioritized = KEYS[3], events = KEYS[4],
  stalled = KEYS[5], delayed = KEYS[6], meta = KEYS[7], priorityCounter = KEYS[8], marker = KEYS[9],
  completed = KEYS[10], failed = KEYS[11], limiter = KEYS[12],
  isPaused = metadata[1], concurrency = tonumber(metadata[2]) or math.huge, max = metadata[3], duration = metadata[4],
  hasGate = metadata[6], isGrouped = metadata[7], groups = ARGV[13],
}
local endings = endingsOf(queue, {count = tonumber(ARGV[10]), age = tonumber(ARGV[11])}, ARGV[12] == "1")

local answers, hasClaims, leavesSlot = {}, false, false
for step = 1, count do
  local at = FIRST + (step - 1) * FIELDS
  answers[step] = DONE
  if ARGV[at] ~= "" and not endings.takeFrom(step, ARGV[at], ARGV[at + 1], ARGV[at + 4]) then answers[step] = LOST end
  hasClaims = hasClaims or ARGV[at + 5] ~= ""
end
if #endings.released > 0 then
  endings.release(metadata[5] or keepEvents(queue.meta))
  for step = 1, count do
    local at = FIRST + (step - 1) * FIELDS
    if ARGV[at] ~= "" and answers[step] == DONE then
      endings.finish(step, unpack(ARGV, at, at + 4))
      leavesSlot = leavesSlot or ARGV[at + 5] == ""
    end
  end
  keepEnded(queue)
  if endings.mayGate then queue.hasGate = rcall("HEXISTS", queue.meta, "jobgate:gate") == 1 end
elseif hasClaims then
  -- A store without free memory refuses a script that begins with a write that takes some.
  rcall("SREM", queue.stalled, "")
end

local claims = {nextAt = 0, limitedFor = 0}
if hasClaims then
  claims = claimsOf(queue, {
    deadline = tonumber(ARGV[3]),
    count = count,
    concurrency = tonumber(ARGV[4]) or math.huge,
    lockDuration = ARGV[5],
    replica = ARGV[6],
    groups = ARGV[13],
    pulled = ARGV[7] ~= "",
    hasBreaker = ({["1"] = true, ["0"] = false})[ARGV[8]],
    limiter = ARGV[9] ~= "" and cjson.decode(ARGV[9]) or nil,
    batch = ARGV[14] ~= "" and cjson.decode(ARGV[14]) or nil,
  })
  for step = 1, count do
    local token = ARGV[FIRST + step * FIELDS - 1]
    if token ~= "" and answers[step] == DONE then answers[step] = claims.take(token) or DONE end
  end
  claims.close()
  keepEnded(queue)
end

local function isMaxed() return rcall("LLEN", queue.active) >= queue.concurrency end
if claims.hasTaken and ARGV[7] ~= "" then rcall("SADD", ARGV[7], string.match(queue.meta, "([^:]+):meta$")) end
if claims.hasTaken or claims.wakes or endings.frees or endings.hasFinished and leavesSlot or
    endings.hasWaiting and not queue.isPaused and not isMaxed() then
  rcall("ZADD", queue.marker, 0, "0")
end
if endings.hasDelayed and not claims.hasTaken then
  local nextAt = getNextDelayedTimestamp(queue.delayed)
  if nextAt then rcall("ZADD", queue.marker, nextAt, "1") end
end
-- Not yet where a claim beside the endings can have a delayed job later.
local function isDelayed() return not leavesSlot and rcall("EXISTS", queue.delayed) == 1 end
if endings.hasFinished and not claims.hasTaken and rcall("LLEN", queue.wait) == 0 and
    not (queue.isGrouped and rcall("EXISTS", queue.prefix .. "jobgate:group-waiting") == 1) and rcall("LLEN", queue.active) == 0 and
    rcall("ZCARD", queue.prioritized) == 0 and not isDelayed() then
  rcall("XADD", queue.events, "*", "event", "drained")
end
if queue.isGrouped and endings.hasFinished then groupPlaces().forgetTurns(queue.prefix) end
return {claims.nextAt, claims.limitedFor, answers, endings.effects}
