-- Has a delayed job wait, without a further delay. Returns 0, or what the guard returns.
--
-- KEYS[1] job
--
-- ARGV[1] job key prefix
-- ARGV[2] id of the job
-- ARGV[3] allowed states
-- ARGV[4] how far to look for a waiting job

local rcall = redis.call
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
local prefix, id, allowed, reach = ARGV[1], ARGV[2], ARGV[3], ARGV[4]
local state, _, refusal = guarded(prefix, id, allowed, reach)
if not state then return refusal end
rcall("ZREM", prefix .. "delayed", id)
addWaiting(prefix, id, tonumber(rcall("HGET", job, "priority")) or 0, "LPUSH")
rcall("XADD", prefix .. "events", "*", "event", "waiting", "jobId", id, "prev", "delayed")
rcall("HSET", job, "delay", 0)
return 0
