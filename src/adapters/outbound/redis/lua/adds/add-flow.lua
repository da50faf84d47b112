-- In TypeScript: domain/transitions/add-flow
-- Adds the jobs of a small flow in one step, whatever their queues: all keys of a prefix are in one slot. The keys and
-- events are those that BullMQ's own flow producers leave. All that could fail comes before the first write, or is the
-- first write, so the flow is stored whole or not at all.
--
-- Returns CAME_LATE, "full" with the bound, "group" with the position of a job and how many jobs of its group wait,
-- "exists" with the position of a job, what is known of the key of a remembered flow, or "added".
--
-- remembered: by what the flow is remembered in the queue of its first job, as JSON: key, body (both digests), and as
--   defaults its origin; empty when it is not
-- queueCount: how many queues there are
-- REST: of each queue its name and the most jobs that may wait there, and of a group there, or nothing; then of each
--   job the position of its queue, its place, name, data and options, the position of its parent or nothing, what
--   BullMQ keeps of that as JSON, and `p` for one that waits for children and `g` for one with an id that was given, or
--   both
--- @include "bullmq/addDelayMarkerIfNeeded"
--- @include "groups/group-places"
--- @include "groups/grouped-queue"
--- @include "adds/flow-queue"
--- @include "reading/in-pieces"
--- @include "reading/in-time"
--- @include "adds/new-job"
--- @include "events/job-event"
--- @include "adds/created-queue"
--- @include "adds/delayed-job"
--- @include "adds/expiring-jobs"
--- @include "adds/place"
--- @include "adds/priority-score"
--- @include "adds/queue-room"

-- How many arguments each queue and each job of a flow has.
local QUEUE_ARGUMENTS, JOB_ARGUMENTS = 3, 8

if cameLate(deadline) then return CAME_LATE end

local identity, records, record
if remembered ~= "" then
  --- @include "adds/recalled-add"
  identity, records = cjson.decode(remembered), prefix .. ":" .. ARGV[REST] .. ":" .. REMEMBERED
  record = records .. "-" .. identity.key
  local known = recall(record, identity.body)
  if known then return known end
  rcall("LLEN", records)
end

local queues, jobs = {}, {}
local first = REST
for index = 1, queueCount do
  local queue, problem = queueOfFlow(prefix, ARGV[first], ARGV[first + 1], ARGV[first + 2])
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
    priority = tonumber(priority), isLifo = lifo == "1", ttl = tonumber(ttl), isParent = isParent, cost = cost,
    group = group}
end
for _, queue in ipairs(queues) do
  if isQueueFull(queue.base, queue.maxWaiting, queue.toWait) then return {"full", queue.maxWaiting} end
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
  for key, some in pairs(entries) do inPieces(command, key, some) end
end

local function store(job)
  local at = job.at
  local name, above = ARGV[at + 2], jobs[tonumber(ARGV[at + 5])]
  if above then
    rcall("HSET", job.key, "name", name, "data", ARGV[at + 3], "opts", ARGV[at + 4], "timestamp", timestamp,
      "delay", job.delay, "priority", job.priority, "parentKey", above.key, "parent", ARGV[at + 6])
    gather(dependencies, above.key .. ":dependencies", job.key)
  else
    writeJob(job.key, name, ARGV[at + 3], ARGV[at + 4], timestamp, job.delay, job.priority)
  end
  if job.group then
    local base = job.queue.base
    if not isGroupedQueue(base) then
      write("LPUSH", waiting)
      waiting = {}
      becomeGrouped(base, base .. "meta", base .. "wait", base .. "prioritized")
    end
    joinGroup(job.key, job.group, job.cost)
  end
  report(job, "added", "name", name)
end

local function waitUngrouped(job)
  local base, id = job.queue.base, job.id
  groupPlaces().ungroupedWaits(base)
  if job.priority > 0 then
    rcall("ZADD", base .. "prioritized", getPriorityScore(job.priority, base .. "pc"), id)
  elseif job.isLifo then
    rcall("RPUSH", base .. "wait", id)
  else
    gather(waiting, base .. "wait", id)
  end
end

-- Brings a job to its place. Those that go to the list behind others are only gathered.
local function enqueue(job)
  local queue, base, id = job.queue, job.queue.base, job.id
  if job.isParent then
    rcall("ZADD", base .. "waiting-children", timestamp, id)
    report(job, "waiting-children")
    return
  end
  if job.delay > 0 then
    waitUntilDue(base, queue.maxEvents, job.group, id, timestamp, job.delay)
    queue.isAnyDelayed = true
    return
  end
  if job.group then
    groupPlaces().waitInGroup(base, job.group, id, job.priority, job.isLifo and job.priority == 0)
  else
    waitUngrouped(job)
  end
  report(job, "waiting")
  queue.isAnyWaiting = true
end

for _, job in ipairs(jobs) do
  store(job)
  if job.ttl > 0 then
    noteExpiry(job.queue.base, job.id, expiryOf(timestamp, job.ttl))
    job.queue.isAnyExpiring = true
  end
  enqueue(job)
end
write("SADD", dependencies)
write("LPUSH", waiting)
for _, queue in ipairs(queues) do
  if queue.isAnyExpiring then listExpiring(queue.base) end
  if queue.isAnyWaiting and queue.isStartable then rcall("ZADD", queue.base .. "marker", 0, "0") end
  if queue.isAnyDelayed then addDelayMarkerIfNeeded(queue.base .. "marker", queue.base .. "delayed") end
end
if identity then
  --- @include "adds/remembered-add"
  remember(record, records, identity.body, identity.defaults, timestamp, "", {})
end
return {"added", "", {}}
