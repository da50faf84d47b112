-- Removes some of the jobs of one list or sorted set of a queue: the next job of each scheduler that there is stays. As
-- in BullMQ, a parent in the same queue goes along when it waits for none that is left, and no event is written.
--
-- A list is worked off from the end where jobs are taken, and what stays goes to the other end. A sorted set is
-- worked off from its end, where the jobs that stay leave last, so their number says how many to skip.
--
-- Returns how many were removed, how many stayed, how many there were, and how many parents went along.
--
-- KEYS[1] the list or set
-- KEYS[2] schedulers
--
-- ARGV[1] job key prefix
-- ARGV[2] list or set
-- ARGV[3] how many stayed at the end of the set
-- ARGV[4] most jobs to look at

local rcall = redis.call
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

local function removeJob(jobId, hard, baseKey, shouldRemoveDeduplicationKey)
  local jobKey = baseKey .. jobId
  removeParentDependencyKey(jobKey, hard, nil, baseKey)
  if shouldRemoveDeduplicationKey then
    local deduplicationId = rcall("HGET", jobKey, "deid")
    removeDeduplicationKeyIfNeededOnRemoval(baseKey, jobId, deduplicationId)
  end
  removeJobKeys(jobKey)
end

-- Data and results of jobs after which a run ends: to free it takes the store time too.
local MOST_BYTES = 4194304

-- What a job has beside its hash.
local PARTS = {":logs", ":dependencies", ":processed", ":failed", ":unsuccessful", ":lock"}

local place, schedulers = KEYS[1], KEYS[2]
local prefix, isList, passed, most = ARGV[1], ARGV[2] == "list", tonumber(ARGV[3]), tonumber(ARGV[4])

local function isNextOfScheduler(id)
  local scheduler, time = string.match(id, "^repeat:(.*):(%d+)$")
  return scheduler and rcall("ZSCORE", schedulers, scheduler) == time
end

local function bytesOf(id)
  local bytes = 0
  for _, field in ipairs({"data", "returnvalue"}) do
    local length = redis.pcall("HSTRLEN", prefix .. id, field)
    if type(length) == "number" then bytes = bytes + length end
  end
  return bytes
end

local size, ids
if isList then
  size, ids = rcall("LLEN", place), rcall("LRANGE", place, -most, -1)
else
  size, ids = rcall("ZCARD", place), rcall("ZREVRANGE", place, passed, passed + most - 1)
end

local going, staying, bytes = {}, {}, 0
while #going + #staying < #ids and bytes < MOST_BYTES do
  local looked = #going + #staying
  local id = isList and ids[#ids - looked] or ids[looked + 1]
  if isNextOfScheduler(id) then
    staying[#staying + 1] = id
  else
    going[#going + 1] = id
    bytes = bytes + bytesOf(id)
  end
end
if isList and #ids > 0 then
  rcall("LTRIM", place, 0, -(#going + #staying) - 1)
  for _, id in ipairs(staying) do rcall("LPUSH", place, id) end
elseif #going > 0 then
  rcall("ZREM", place, unpack(going))
end

local keys, parents = {}, prefix .. "waiting-children"
local waiting = rcall("ZCARD", parents)
for _, id in ipairs(going) do
  local job = prefix .. id
  local record = redis.pcall("HMGET", job, "parentKey", "deid")
  if record["err"] or (not record[1] and not record[2]) then
    keys[#keys + 1] = job
    for _, part in ipairs(PARTS) do keys[#keys + 1] = job .. part end
  else
    removeJob(id, true, prefix, true)
    keys[#keys + 1] = job .. ":lock"
  end
end
if #keys > 0 then rcall("UNLINK", unpack(keys)) end
return {#going, #staying, size, waiting - rcall("ZCARD", parents)}
