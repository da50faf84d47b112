-- Removes a scheduler and, if that is delayed, its next job. Returns 1, or 0 when there was none.
--
-- KEYS[1] schedulers of the queue
--
-- ARGV[1] job key prefix
-- ARGV[2] id of the scheduler

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

local function addJobFromScheduler(jobKey, jobId, opts, waitKey, pausedKey, activeKey, metaKey, 
  prioritizedKey, priorityCounter, delayedKey, markerKey, eventsKey, name, maxEvents, timestamp,
  data, jobSchedulerId, repeatDelay)

  opts['delay'] = repeatDelay
  opts['jobId'] = jobId

  storeAndEnqueueJob(eventsKey, jobKey, jobId, name, data, opts,
      timestamp, nil, nil, jobSchedulerId, maxEvents,
      waitKey, pausedKey, activeKey, metaKey, prioritizedKey,
      priorityCounter, delayedKey, markerKey)
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
local function removeJobKeys(jobKey)
  return rcall("DEL", jobKey, jobKey .. ':logs', jobKey .. ':dependencies',
    jobKey .. ':processed', jobKey .. ':failed', jobKey .. ':unsuccessful')
end
local getJobIdFromKey = function (jobKey)
  return string.match(jobKey, ".*:(.*)")
end

local getJobKeyPrefix = function (jobKey, jobId)
  return string.sub(jobKey, 0, #jobKey - #jobId)
end
-- The time of the step's caller in epoch ms, from which parents that a removal releases count their delay. A step that
-- removes jobs sets it: BullMQ's functions, which stand between the step and the release, have no argument for it.
local callersTime
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

local function removeJob(jobId, hard, baseKey, shouldRemoveDeduplicationKey)
  local jobKey = baseKey .. jobId
  removeParentDependencyKey(jobKey, hard, nil, baseKey)
  if shouldRemoveDeduplicationKey then
    local deduplicationId = rcall("HGET", jobKey, "deid")
    removeDeduplicationKeyIfNeededOnRemoval(baseKey, jobId, deduplicationId)
  end
  removeJobKeys(jobKey)
end
-- Whether a job of a scheduler is over for it: it started, even if it waits again, or the scheduler ended with it. Native
-- workers note a start only in the job.
local function isPast(prefix, scheduler, jobId)
  local known = rcall("HMGET", prefix .. "repeat:" .. scheduler, "jobgate:last", "jobgate:ended-with")
  return known[1] == jobId or known[2] == jobId or rcall("HEXISTS", prefix .. jobId, "processedOn") == 1
end

-- Whether a job is the next one of its scheduler, to go on with once it starts. The last one stays in the register of
-- the schedulers when it is past.
local function isNextOfScheduler(prefix, jobId)
  local scheduler, slot = string.match(jobId, "^repeat:(.*):(%d+)$")
  return scheduler and rcall("ZSCORE", prefix .. "repeat", scheduler) == slot and not isPast(prefix, scheduler, jobId)
end

-- What the functions here need of a scheduler. Whatever consumer starts a job, even a native worker, plans the next one
-- if the slot of the scheduler is that of the job. The slot of a paused scheduler is therefore half a millisecond later,
-- where no job is, and all readers round it.
local function schedulerNamed(prefix, id)
  local schedulers = prefix .. "repeat"
  return {
    id = id,
    prefix = prefix,
    schedulers = schedulers,
    record = schedulers .. ":" .. id,
    delayed = prefix .. "delayed",
    events = prefix .. "events",
    maxEvents = rcall("HGET", prefix .. "meta", "opts.maxLenEvents") or "<events kept>",
  }
end

local function jobIdOf(scheduler, slot) return "repeat:" .. scheduler.id .. ":" .. slot end

local function pausedScore(slot) return string.match(slot, "^%d+") .. ".5" end

local function isPaused(scheduler) return rcall("HEXISTS", scheduler.record, "jobgate:paused") == 1 end

local function isTaken(scheduler, slot)
  return rcall("HGET", scheduler.record, "jobgate:last") == jobIdOf(scheduler, slot) or
    rcall("EXISTS", scheduler.record .. ":" .. slot) == 1
end

-- Removes a job that has not started, and maybe only if it is delayed. Returns whether it did.
local function withdraw(scheduler, jobId, ifDelayed)
  local prefix, prev = scheduler.prefix, "delayed"
  if rcall("EXISTS", prefix .. jobId) == 0 or isPast(prefix, scheduler.id, jobId) then return false end
  if rcall("ZREM", scheduler.delayed, jobId) == 0 then
    if ifDelayed then return false end
    prev = "waiting"
    local removed = groupPlaces().takeOutOfGroup(prefix, jobId) + rcall("ZREM", prefix .. "prioritized", jobId) + rcall("LREM", prefix .. "wait", -1, jobId) +
      rcall("LREM", prefix .. "paused", -1, jobId)
    if removed == 0 then return false end
  end
  local group = rcall("HGET", prefix .. jobId, "jobgate:group")
  removeJob(jobId, true, prefix, true)
  groupEvent(scheduler.events, scheduler.maxEvents, group, "removed", jobId, "prev", prev)
  return true
end

-- Adds the job of a slot, given the time, the delay of the job and its options as JSON.
local function plan(scheduler, slot, timestamp, delay, options)
  local prefix, record = scheduler.prefix, scheduler.record
  rcall("ZADD", scheduler.schedulers, slot, scheduler.id)
  local fields, given = rcall("HMGET", record, "name", "data"), cjson.decode(options)
  addJobFromScheduler(record .. ":" .. slot, jobIdOf(scheduler, slot), given, prefix .. "wait",
    prefix .. "paused", prefix .. "active", prefix .. "meta", prefix .. "prioritized", prefix .. "pc",
    scheduler.delayed, prefix .. "marker", scheduler.events, fields[1] or "", scheduler.maxEvents, tonumber(timestamp),
    fields[2] or "{}", scheduler.id, tonumber(delay))
  if type(given.group) == "table" and given.group.id then
    local job = prefix .. jobIdOf(scheduler, slot)
    rcall("HSET", prefix .. "meta", "jobgate:groups", "1")
    rcall("HSET", job, "jobgate:group", given.group.id, "jobgate:group-cost", given.group.cost or 1)
  end
end

local scheduler = schedulerNamed(ARGV[1], ARGV[2])
local score = rcall("ZSCORE", scheduler.schedulers, scheduler.id)
if not score then return 0 end
withdraw(scheduler, jobIdOf(scheduler, score), true)
rcall("ZREM", scheduler.schedulers, scheduler.id)
rcall("DEL", scheduler.record)
return 1
