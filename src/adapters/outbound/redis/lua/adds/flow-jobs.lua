-- In TypeScript: domain/transitions/add-flow
--- @include "bullmq/addDelayMarkerIfNeeded"
--- @include "groups/group-places"
--- @include "groups/grouped-queue"
--- @include "reading/in-pieces"
--- @include "adds/new-job"
--- @include "events/job-event"
--- @include "adds/created-queue"
--- @include "adds/delayed-job"
--- @include "adds/expiring-jobs"
--- @include "adds/priority-score"
--- @include "adds/queue-room"

-- Of each queue in which too many jobs would wait its number, and how many.
local function excessIn(queues)
  local excess = {}
  for index, queue in ipairs(queues) do
    local jobs = tooManyIn(queue.base, queue.maxWaiting, queue.toWait)
    if jobs > 0 then excess[#excess + 1] = {index, jobs} end
  end
  return excess
end

-- Stores jobs of several queues, with their places and events. Nothing of it can fail.
--
-- queues: as queueOfFlow has them; jobs: queue, id, key, name, data, opts, delay, priority, isLifo, ttl, group, cost
-- and startCost, isParent (waits for children), above (the key of its parent) and parent (what BullMQ keeps of that, as
-- JSON), isStaged (its hash is there)
-- registry: the key of the register of queues
local function storeJobs(queues, jobs, timestamp, registry)
  for _, queue in ipairs(queues) do
    rcall("INCRBY", queue.base .. "id", queue.jobs)
    if not (queue.maxEvents and queue.isListed) then queue.maxEvents = createQueue(registry, queue.base .. "meta") end
  end

  local function report(job, maxEvents, event, ...)
    groupEvent(job.queue.base .. "events", maxEvents, job.group, event, job.id, ...)
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
    if job.above then
      if not job.isStaged then
        rcall("HSET", job.key, "name", job.name, "data", job.data, "opts", job.opts, "timestamp", timestamp,
          "delay", job.delay, "priority", job.priority, "parentKey", job.above, "parent", job.parent)
      end
      gather(dependencies, job.above .. ":dependencies", job.key)
    else
      writeJob(job.key, job.name, job.data, job.opts, timestamp, job.delay, job.priority)
    end
    if job.group then
      local base = job.queue.base
      if not job.queue.isGrouped then
        write("LPUSH", waiting)
        waiting = {}
        becomeGrouped(base, base .. "meta", base .. "wait", base .. "prioritized")
        job.queue.isGrouped = true
      end
      joinGroup(job.key, job.group, job.cost)
    end
    if job.startCost then noteCost(job.queue.base, job.key, job.startCost) end
    -- The next event of the job trims them.
    report(job, nil, "added", "name", job.name)
  end

  local function waitUngrouped(job)
    local base, id = job.queue.base, job.id
    if job.queue.isGrouped then groupPlaces().ungroupedWaits(base) end
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
      report(job, queue.maxEvents, "waiting-children")
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
    report(job, queue.maxEvents, "waiting")
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
end
