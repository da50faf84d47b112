-- Changes a job. No state allows to change both priority and delay. Returns 0, or what the guard returns.
--
-- KEYS[1] job
--
-- ARGV[1] job key prefix
-- ARGV[2] id of the job
-- ARGV[3] allowed states
-- ARGV[4] how far to look for a waiting job
-- ARGV[5] now
-- ARGV[6] data as JSON, empty to keep it
-- ARGV[7] priority, empty to keep it
-- ARGV[8] delay in ms from now, empty to keep it

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

-- Has a job wait behind the others of its priority; one without a priority in the list, to which `push` adds it. Wakes a
-- consumer that may take it.
local function addWaiting(prefix, id, priority, push)
  local marker, isPausedOrMaxed = prefix .. "marker", isQueuePausedOrMaxed(prefix .. "meta", prefix .. "active")
  if priority == 0 then
    addJobInTargetList(prefix .. "wait", marker, push, isPausedOrMaxed, id)
  else
    addJobWithPriority(marker, prefix .. "prioritized", priority, id, prefix .. "pc", isPausedOrMaxed)
  end
end

local job = KEYS[1]
local prefix, id, allowed, reach, now = ARGV[1], ARGV[2], ARGV[3], ARGV[4], ARGV[5]
local data, priority, delay = ARGV[6], tonumber(ARGV[7]), tonumber(ARGV[8])
local state, nearEnd, refusal = guarded(prefix, id, allowed, reach)
if not state then return refusal end
if priority then
  if rcall("ZREM", prefix .. "prioritized", id) > 0 or rcall("LREM", prefix .. "wait", nearEnd, id) > 0 then
    addWaiting(prefix, id, priority, "LPUSH")
  end
  rcall("HSET", job, "priority", priority)
end
if delay then
  local delayed = prefix .. "delayed"
  local score, dueAt = getDelayedScore(delayed, now, delay)
  rcall("ZREM", delayed, id)
  rcall("HSET", job, "delay", delay)
  rcall("ZADD", delayed, score, id)
  rcall("XADD", prefix .. "events", "MAXLEN", "~", keepEvents(prefix .. "meta"), "*", "event", "delayed",
    "jobId", id, "delay", dueAt)
  addDelayMarkerIfNeeded(prefix .. "marker", delayed)
end
if data ~= "" then rcall("HSET", job, "data", data) end
return 0
