-- Moves a job that is to be removed later to where no claim takes it: among the failed ones. Returns 1, or what the
-- guard returns.
--
-- KEYS[1] job
--
-- ARGV[1] job key prefix
-- ARGV[2] id of the job
-- ARGV[3] allowed states
-- ARGV[4] how far to look for a waiting job
-- ARGV[5] now
-- ARGV[6] 1 if its own parent goes on without it from now on

local rcall = redis.call
local function addBaseMarkerIfNeeded(markerKey, isPausedOrMaxed)
  if not isPausedOrMaxed then
    rcall("ZADD", markerKey, 0, "0")
  end  
end

local function addJobInTargetList(targetKey, markerKey, pushCmd, isPausedOrMaxed, jobId)
  rcall(pushCmd, targetKey, jobId)
  addBaseMarkerIfNeeded(markerKey, isPausedOrMaxed)
end
local getJobIdFromKey = function (jobKey)
  return string.match(jobKey, ".*:(.*)")
end

local getJobKeyPrefix = function (jobKey, jobId)
  return string.sub(jobKey, 0, #jobKey - #jobId)
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
local function removeJobKeys(jobKey)
  return rcall("DEL", jobKey, jobKey .. ':logs', jobKey .. ':dependencies',
    jobKey .. ':processed', jobKey .. ':failed', jobKey .. ':unsuccessful')
end
-- The score of a job among those with a priority, in the order of their adds. Beyond priority 2097151, which BullMQ does
-- not have, only every other number is exact.
local function getPriorityScore(priority, priorityCounterKey)
  local prioCounter = rcall("INCR", priorityCounterKey)
  if priority >= 0x200000 then return priority * 0x100000000 + (prioCounter % 0x100000000) * 2 end
  return priority * 0x100000000 + prioCounter % 0x100000000
end

-- Starts a parent that waits for no child any more. BullMQ has it wait at the head of the list in any case, and without
-- an event; here it is delayed or has its priority as its options say, as after its last child has ended.
local function startReleasedParent(prefix, id)
  local options = rcall("HMGET", prefix .. id, "priority", "delay")
  local priority, delay = tonumber(options[1]) or 0, tonumber(options[2]) or 0
  local events, marker = prefix .. "events", prefix .. "marker"
  if delay > 0 then
    local delayed, time = prefix .. "delayed", rcall("TIME")
    local dueAt = time[1] * 1000 + math.floor(time[2] / 1000) + delay
    rcall("ZADD", delayed, dueAt * 0x1000, id)
    rcall("ZADD", marker, rcall("ZRANGE", delayed, 0, 0, "WITHSCORES")[2] / 0x1000, "1")
    rcall("XADD", events, "*", "event", "delayed", "jobId", id, "delay", string.format("%.0f", dueAt))
    return
  end
  local isPausedOrMaxed = isQueuePausedOrMaxed(prefix .. "meta", prefix .. "active")
  if priority > 0 then
    rcall("ZADD", prefix .. "prioritized", getPriorityScore(priority, prefix .. "pc"), id)
    addBaseMarkerIfNeeded(marker, isPausedOrMaxed)
  else
    addJobInTargetList(prefix .. "wait", marker, "RPUSH", isPausedOrMaxed, id)
  end
  rcall("XADD", events, "*", "event", "waiting", "jobId", id, "prev", "waiting-children")
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

local job = KEYS[1]
local prefix, id, allowed, reach, now, isFirst = ARGV[1], ARGV[2], ARGV[3], ARGV[4], ARGV[5], ARGV[6]
local state, nearEnd, refusal = guarded(prefix, id, allowed, reach)
if not state then return refusal end
if state == "waiting" then
  if rcall("LREM", prefix .. "wait", nearEnd, id) == 0 then rcall("LREM", prefix .. "paused", 1, id) end
elseif state == "prioritized" or state == "delayed" or state == "waiting-children" then
  rcall("ZREM", prefix .. state, id)
end
if state ~= "completed" and state ~= "failed" then
  rcall("HSET", job, "failedReason", "Removed", "finishedOn", now, "delay", 0)
  rcall("ZADD", prefix .. "failed", now, id)
end
if isFirst == "1" then removeParentDependencyKey(job, false) end
return 1
