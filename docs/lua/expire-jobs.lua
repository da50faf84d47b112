-- Fails jobs of a queue that did not start in time. Finding a job in a list means reading all of it, so each run reads
-- one piece, from the end where jobs are taken, and removes all that it finds there at once.
--
-- Returns of each job that failed, here or in a claim, its id and the reason, and how many to skip next time, or -1 when there is nothing to
-- do for now: the register says then when there is.
--
-- KEYS[1] expiring
-- KEYS[2] wait
-- KEYS[3] paused
-- KEYS[4] prioritized
-- KEYS[5] delayed
-- KEYS[6] register of queues with expiring jobs
--
-- ARGV[1] job key prefix
-- ARGV[2] name of the queue
-- ARGV[3] now
-- ARGV[4] how many jobs at the end of the lists to skip

local rcall = redis.call
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

-- Jobs that one run looks at: those that are due, and those of a piece of the waiting list.
local MOST_DUE, MOST_WAITING = 200, 500

-- Milliseconds until the next run over a queue with due jobs that were not found anywhere.
local LATER = 2000

-- In the place of a job in the list until it is taken out. No job can have this id: it has one colon.
local TAKEN_OUT = "jobgate:gone"

local expiring, wait, paused, prioritized, delayed, register = KEYS[1], KEYS[2], KEYS[3], KEYS[4], KEYS[5], KEYS[6]
local prefix, name, now, skip = ARGV[1], ARGV[2], ARGV[3], tonumber(ARGV[4])
local queue = queueOf(prefix, now)
queue.isGrouped = isGroupedQueue(prefix)
local expired, dropped = {}, 0
local function report(id, reason)
  expired[#expired + 1] = id
  expired[#expired + 1] = reason
end
local function fail(id, expires, prev)
  rcall("ZREM", expiring, id)
  report(id, failExpired(queue, id, tonumber(expires), prev))
end

-- The reason of a job that a claim failed since it did not start in time.
local function failedByClaim(id)
  local record = redis.pcall("HMGET", prefix .. id, "failedReason", "jobgate:expires", "finishedOn")
  if record["err"] or record[2] or not record[3] then return nil end
  return string.find(record[1] or "", EXPIRED_AFTER, 1, true) == 1 and record[1]
end

-- Under the same id there may be another job by now, or one that a native worker has started or that was cancelled.
local function isPending(id, expires)
  local record = redis.pcall("HMGET", prefix .. id, "jobgate:expires", "processedOn", "finishedOn")
  if record["err"] or not record[1] or record[2] or record[3] then return false end
  return tonumber(record[1]) == tonumber(expires)
end

local isAnyWaiting = false
local due = rcall("ZRANGEBYSCORE", expiring, "-inf", now, "WITHSCORES", "LIMIT", 0, MOST_DUE)
for at = 1, #due, 2 do
  local id, expires = due[at], due[at + 1]
  if not isPending(id, expires) then
    rcall("ZREM", expiring, id)
    local reason = failedByClaim(id)
    if reason then report(id, reason) else dropped = dropped + 1 end
  elseif rcall("ZREM", delayed, id) == 1 then
    fail(id, expires, "delayed")
  elseif rcall("ZREM", prioritized, id) == 1 then
    fail(id, expires, "prioritized")
  elseif groupPlaces().takeOutOfGroup(prefix, id) == 1 then
    fail(id, expires, "waiting")
  else
    isAnyWaiting = true
  end
end

-- Fails those of a piece of a list that are due. Returns how many jobs there were in the piece, and how many failed.
local function failInPiece(list, first)
  local ids = rcall("LRANGE", list, -(first + MOST_WAITING), -(first + 1))
  local found = {}
  for back = 1, #ids do
    local id = ids[#ids + 1 - back]
    local expires = rcall("ZSCORE", expiring, id)
    if expires and tonumber(expires) <= tonumber(now) and isPending(id, expires) then
      rcall("LSET", list, -(first + back), TAKEN_OUT)
      found[#found + 1] = {id, expires}
    end
  end
  if #found > 0 then
    local isNearHead = first > rcall("LLEN", list) / 2
    rcall("LREM", list, isNearHead and #found or -#found, TAKEN_OUT)
    for _, job in ipairs(found) do fail(job[1], job[2], "waiting") end
  end
  return #ids, #found
end

local isPassed = true
if isAnyWaiting then
  -- An older BullMQ keeps the waiting jobs of a paused queue in another list.
  local list, first, waiting = wait, skip, rcall("LLEN", wait)
  if skip >= waiting then list, first = paused, skip - waiting end
  local looked, found = failInPiece(list, first)
  isPassed = looked < MOST_WAITING and (list == paused or rcall("EXISTS", paused) == 0)
  skip = isPassed and 0 or skip + looked - found
end
keepEnded(queue)

if rcall("ZCOUNT", expiring, "-inf", now) == 0 then
  local nextAt = rcall("ZRANGE", expiring, 0, 0, "WITHSCORES")[2]
  if nextAt then rcall("ZADD", register, nextAt, name) else rcall("ZREM", register, name) end
  return {expired, -1}
end
if isPassed and #expired + dropped == 0 then
  rcall("ZADD", register, tonumber(now) + LATER, name)
  return {expired, -1}
end
return {expired, skip}
