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
--- @include "adds/place"
--- @include "adds/priority-score"
--- @include "adds/queue-room"

-- A job from its place and the arguments that begin with its name, counted in its queue; and how many jobs of its group
-- wait where that has no room.
--
-- id: in place of the one that the place names
local function flowJob(queue, place, at, id, isParent)
  local delay, priority, lifo, given, ttl, cost, group, startCost, full = placeOf(place)
  queue.jobs = queue.jobs + 1
  if delay == "0" and not isParent then
    queue.toWait = queue.toWait + 1
    full = group and queue.addToGroup and queue.addToGroup(group)
  end
  id = id or given
  return {queue = queue, id = id, key = queue.base .. id, name = ARGV[at], data = ARGV[at + 1], opts = ARGV[at + 2],
    delay = delay, priority = priority, isLifo = lifo == "1", ttl = ttl, isParent = isParent, cost = cost,
    group = group, startCost = startCost, family = {}}, full
end

-- Of each queue in which too many jobs would wait its number, and how many.
local function excessIn(queues)
  local excess = {}
  for index, queue in ipairs(queues) do
    local jobs = tooManyIn(queue.base, queue.maxWaiting, queue.toWait)
    if jobs > 0 then excess[#excess + 1] = {index, jobs} end
  end
  return excess
end

-- Has plain jobs wait in their queues, and wakes consumers. These writes come first, and try keys whose types nothing
-- has checked: once one of them fails, all of them are taken back. Returns the error.
local function pushPlain(queues)
  local done = {}
  local function try(takeBack, ...)
    local answer = redis.pcall(...)
    if type(answer) == "table" then
      for _, command in ipairs(done) do rcall(unpack(command)) end
      return answer
    end
    if answer > 0 then done[#done + 1] = takeBack end
  end
  for _, queue in ipairs(queues) do
    local wait, marker, count = queue.base .. "wait", queue.base .. "marker", #queue.plain
    local problem = count > 0 and (try({"LTRIM", wait, count, -1}, "LPUSH", wait, unpack(queue.plain)) or
      queue.isStartable and try({"ZREM", marker, "0"}, "ZADD", marker, "0", "0"))
    if problem then return problem end
  end
end

-- Stores jobs of several queues, with their places and events. Only pushPlain can fail; it returns the error of that.
--
-- queues: as queuesOfFlow has them; plain has the ids of plain jobs, and payloads where their names, data and options
-- begin among the arguments
-- jobs: the others, as flowJob has them, with above (the key of the parent) and isStaged (the hash is there)
-- registry: the key of the register of queues
local function storeJobs(queues, jobs, timestamp, registry)
  local problem, counters = pushPlain(queues), {}
  if problem then return problem end
  for index, queue in ipairs(queues) do
    counters[2 * index - 1], counters[2 * index] = queue.base .. "id", string.format("%.0f", queue.number + queue.jobs)
    if not (queue.maxEvents and queue.isListed) then queue.maxEvents = createQueue(registry, queue.base .. "meta") end
    local events = queue.base .. "events"
    for position, id in ipairs(queue.plain) do
      local name, data, opts = unpack(ARGV, queue.payloads[position], queue.payloads[position] + 2)
      writeJob(queue.base .. id, name, data, opts, timestamp, "0", "0")
      groupEvent(events, nil, nil, "added", id, "name", name)
      groupEvent(events, queue.maxEvents, nil, "waiting", id)
    end
  end
  if #counters > 0 then rcall("MSET", unpack(counters)) end

  -- Entries of sets and lists, by their keys, that are written together.
  local dependencies, waiting = {}, {}
  local function gather(entries, key, entry)
    entries[key] = entries[key] or {}
    table.insert(entries[key], entry)
  end
  local function write(command, entries)
    for key, some in pairs(entries) do inPieces(command, key, some) end
  end

  -- Brings a job to its place. Those that go to the list behind others are only gathered.
  local function enqueue(job)
    local queue, base, id = job.queue, job.queue.base, job.id
    if job.isParent then
      rcall("ZADD", base .. "waiting-children", timestamp, id)
      groupEvent(base .. "events", queue.maxEvents, job.group, "waiting-children", id)
    elseif job.delay ~= "0" then
      waitUntilDue(base, queue.maxEvents, job.group, id, timestamp, tonumber(job.delay))
      queue.isAnyDelayed = true
    else
      if job.group then
        groupPlaces().waitInGroup(base, job.group, id, tonumber(job.priority), job.isLifo and job.priority == "0")
      else
        if queue.isGrouped then groupPlaces().ungroupedWaits(base) end
        if job.priority ~= "0" then
          rcall("ZADD", base .. "prioritized", getPriorityScore(tonumber(job.priority), base .. "pc"), id)
        elseif job.isLifo then
          rcall("RPUSH", base .. "wait", id)
        else
          gather(waiting, base .. "wait", id)
        end
      end
      groupEvent(base .. "events", queue.maxEvents, job.group, "waiting", id)
      queue.isAnyWaiting = true
    end
  end

  for _, job in ipairs(jobs) do
    if not job.isStaged then
      writeJob(job.key, job.name, job.data, job.opts, timestamp, job.delay, job.priority, unpack(job.family))
    end
    if job.above then gather(dependencies, job.above .. ":dependencies", job.key) end
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
    groupEvent(job.queue.base .. "events", nil, job.group, "added", job.id, "name", job.name)
    if job.ttl ~= "0" then
      noteExpiry(job.queue.base, job.id, expiryOf(timestamp, tonumber(job.ttl)))
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
