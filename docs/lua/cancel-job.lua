-- Fails a job in whatever state it is, as after any failure; the holder of a running attempt loses the job. If the next
-- job of a scheduler is to be cancelled and the one after it is not planned, it changes nothing and returns a list of the
-- scheduler and the job: otherwise the scheduler would end with it. Else it returns 0, or what the guard returns.
--
-- KEYS[1] job
--
-- ARGV[1] job key prefix
-- ARGV[2] id of the job
-- ARGV[3] allowed states
-- ARGV[4] how far to look for a waiting job
-- ARGV[5] now
-- ARGV[6] reason
-- ARGV[7] which jobs the worker keeps, as JSON
-- ARGV[8] 1 when the next job of its scheduler is planned

local rcall = redis.call
local function isJobSchedulerJob(jobId, jobKey, jobSchedulersKey)
  local repeatJobKey = rcall("HGET", jobKey, "rjk")
  if repeatJobKey  then
    local prevMillis = rcall("ZSCORE", jobSchedulersKey, repeatJobKey)
    if prevMillis then
      local currentDelayedJobId = "repeat:" .. repeatJobKey .. ":" .. prevMillis
      return jobId == currentDelayedJobId
    end
  end
  return false
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
-- How many events a queue keeps, which is the default from then on unless its metadata says otherwise.
local function keepEvents(meta)
  if rcall("HSETNX", meta, "opts.maxLenEvents", "<events kept>") == 1 then return "<events kept>" end
  return rcall("HGET", meta, "opts.maxLenEvents")
end
-- A count of a job and one; a count that is no integer begins anew.
local function oneMore(field)
  return string.format("%.0f", (field and string.find(field, "^%-?%d+$") and field or 0) + 1)
end

-- The reasons of the failures of a job, the last ones, with one more.
local function withReason(stacktrace, reason)
  local isList, reasons = pcall(cjson.decode, stacktrace or "[]")
  if not isList or type(reasons) ~= "table" then reasons = {} end
  reasons[#reasons + 1] = reason
  while #reasons > 10 do table.remove(reasons, 1) end
  return cjson.encode(reasons)
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
-- Returns a function that returns the state of a job of one queue, given its id and two of its times. A job that is
-- nowhere else waits, since the waiting list can only be searched from end to end. Which other places exist is asked
-- once, so no job may move into a new one between two calls.
local function statesIn(prefix)
  local isElsewhere
  local function isIn(place, id) return rcall("ZSCORE", prefix .. place, id) and true end
  return function(id, processedOn, finishedOn)
    if finishedOn and isIn("completed", id) then return "completed" end
    if finishedOn and isIn("failed", id) then return "failed" end
    if processedOn and rcall("LPOS", prefix .. "active", id) then return "active" end
    if isElsewhere == nil then
      isElsewhere = rcall("EXISTS", prefix .. "delayed", prefix .. "prioritized", prefix .. "waiting-children") > 0
    end
    if not isElsewhere then return "waiting" end
    for _, place in ipairs({"delayed", "prioritized", "waiting-children"}) do
      if isIn(place, id) then return place end
    end
    return "waiting"
  end
end
-- How far it looks at first, where jobs are that were brought together.
local NEAR = 3000

-- Returns the end of the lists of waiting jobs, as LREM and LPOS count from it, from which a job is found soonest: -1 is
-- where jobs are taken. Returns nothing when the job is deeper in a long list than `reach`. Waiting jobs are in two
-- lists where an older BullMQ paused the queue.
local function endNearTo(prefix, id, reach)
  if rcall("HEXISTS", prefix .. id, "jobgate:group") == 1 then return -1 end
  local isAnyLong = false
  for _, list in ipairs({prefix .. "wait", prefix .. "paused"}) do
    if rcall("LLEN", list) > reach then
      isAnyLong = true
      for _, most in ipairs({NEAR, reach}) do
        for _, rank in ipairs({-1, 1}) do
          if rcall("LPOS", list, id, "RANK", rank, "MAXLEN", most) then return rank end
        end
      end
    end
  end
  if not isAnyLong then return -1 end
end

-- Looks at a job before an action on it, which happens in an allowed state or not at all, even if other clients act on
-- the job. Returns the state of the job and the end of its list from which LREM is to search it. If the action may not
-- happen it returns no state, but third what the script is to return: nothing when there is no such job, the state of
-- the job when that is not an allowed one, or TOO_DEEP.
local function guarded(prefix, id, allowed, reach)
  local record = redis.pcall("HMGET", prefix .. id, "name", "timestamp", "processedOn", "finishedOn")
  if record.err or not record[1] or not record[2] then return nil, nil, false end
  local state = statesIn(prefix)(id, record[3], record[4])
  if not string.find(allowed, "," .. state .. ",", 1, true) then return nil, nil, state end
  if state ~= "waiting" then return state, -1 end
  local nearEnd = endNearTo(prefix, id, tonumber(reach))
  if not nearEnd then return nil, nil, -101 end
  return state, nearEnd
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

-- Records an attempt in the hash of its job, unless the job has no running attempt.
local function recordAttempt(jobKey, endedAt, rest)
  local job = rcall("HMGET", jobKey, "processedOn", "jobgate:attempts")
  if job[1] then rcall("HSET", jobKey, "jobgate:attempts", withAttempt(job[2], job[1], endedAt, rest)) end
end

-- The rest of the line of an attempt whose holder lost the job, by the code of its outcome. A call with several jobs is
-- named by the beginning of its token. An attempt of a native client has no token.
local function takenAttempt(prefix, id, code, reason)
  local by, attempt, startedAt, starts = unpack(rcall("HMGET", prefix .. id, "pb", "jobgate:attempt", "processedOn", "ats"))
  local start, token = string.match(attempt or "", "^(%d+):(.*)$")
  local replica = by and cjson.encode(by) or "null"
  local line = '"' .. code .. '",null,' .. replica .. ",null," .. (reason and cjson.encode(reason) or "null")
  if start ~= startedAt or not tonumber(starts) then return line .. "]" end
  local call = string.sub(token, 1, 10)
  local size = rcall("GET", prefix .. "jobgate:call-" .. call)
  local ofCall = size and ',null,"' .. call .. '",' .. size or ",null,null,null"
  return line .. ofCall .. "," .. cjson.encode(token) .. "," .. starts .. "]"
end

-- Ends the running attempt of an active job whose call may go on, so that its holder loses the job. The call counts for
-- the concurrency as long as the lock would have held. The reason goes on record.
local function takeAttempt(prefix, id, timestamp, code, reason)
  local job = prefix .. id
  -- The write that takes no memory goes first, or a store whose memory is used up refuses all of them.
  rcall("SREM", prefix .. "stalled", id)
  local startedAt, attempt, pulledBy = unpack(rcall("HMGET", job, "processedOn", "jobgate:attempt", "jobgate:pulled-by"))
  local start, token = string.match(attempt or "", "^(.*):(.*)$")
  local accepted = string.match(rcall("HGET", prefix .. "jobgate:acceptances", id) or "", "^[^:]+")
  local isCalled = token and start == startedAt and token ~= pulledBy and token ~= accepted
  local left = rcall("PTTL", job .. ":lock")
  rcall("DEL", job .. ":lock")
  local group = rcall("HGET", job, "jobgate:group")
  if isCalled and left > 0 then
    keepPlace(prefix, token, left)
    if group then rcall("HSET", prefix .. "jobgate:group-running", "!" .. token, group) end
  end
  if group then groupPlaces().leaveGroup(prefix, group, id) end
  recordAttempt(job, timestamp, takenAttempt(prefix, id, code, reason))
  rcall("HDEL", job, "jobgate:attempt", "pb", "jobgate:pulled-by")
end

local job = KEYS[1]
local prefix, id, allowed, reach = ARGV[1], ARGV[2], ARGV[3], ARGV[4]
local now, reason, ofWorker, isNextPlanned = ARGV[5], ARGV[6], cjson.decode(ARGV[7]), ARGV[8] == "1"
local state, nearEnd, refusal = guarded(prefix, id, allowed, reach)
if not state then return refusal end
if isJobSchedulerJob(id, job, prefix .. "repeat") then
  local scheduler = rcall("HGET", job, "rjk")
  if not isNextPlanned then return {scheduler, rcall("HGETALL", job)} end
  rcall("HSET", prefix .. "repeat:" .. scheduler, "jobgate:ended-with", id)
end

local queue = queueOf(prefix, now)
queue.isGrouped = isGroupedQueue(prefix)
local record = rcall("HMGET", job, "parentKey", "parent", "deid", "opts", "atm", "stacktrace")
local fields = {"delay", 0}
if state == "active" then
  takeAttempt(prefix, id, now, "x", reason)
  rcall("LREM", queue.active, -1, id)
  fields = {"atm", oneMore(record[5]), "stacktrace", withReason(record[6], reason)}
elseif state == "waiting" then
  if groupPlaces().takeOutOfGroup(prefix, id) + rcall("LREM", queue.wait, nearEnd, id) + rcall("LREM", prefix .. "paused", 1, id) == 0 then
    rcall("LREM", queue.active, 1, id)
  end
else
  rcall("ZREM", prefix .. state, id)
  local group = rcall("HGET", job, "jobgate:group")
  if group then
    freeOrder(prefix, group, id)
    groupPlaces().leaveGroup(prefix, group, id)
  end
end
jobEvent(prefix, nil, "cancelled", id, "reason", eventText(reason))
-- Before the other events of this run, so that it trims none of these.
rcall("XTRIM", queue.events, "MAXLEN", "~", keepEvents(queue.meta))
if finish(queue, id, "failed", reason, record, ofWorker, state) then
  rcall("HDEL", job, "defa")
  rcall("HSET", job, "failedReason", reason, "finishedOn", now, unpack(fields))
end
keepEnded(queue)
if isOfScheduler(id) then slots().noteEnd(prefix, id, now) end
rcall("ZADD", queue.marker, 0, "0")
if rcall("EXISTS", queue.wait, queue.active, queue.prioritized, prefix .. "jobgate:group-waiting") == 0 then
  rcall("XADD", queue.events, "*", "event", "drained")
end
return 0
