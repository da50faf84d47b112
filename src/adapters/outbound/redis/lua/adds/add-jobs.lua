-- In TypeScript: domain/transitions/add
-- Adds a batch of jobs as one step. The keys and events that it writes are those of BullMQ's own `addStandardJob`,
-- `addDelayedJob` and `addPrioritizedJob`; what is the same for all of its jobs is done once.
--
-- Everything that could fail comes before the first write, or is the first write: the script checks the type of every
-- key, and a store without free memory refuses to count the ids. So the batch is stored whole or not at all. After the
-- deadline, when the add was reported as failed, it stores nothing.
--
-- Returns CAME_LATE after the deadline; the refusal of adds/queue-room; the answer of adds/recalled-add when the key of
-- an add that is remembered is known; "lost" when its holder lost its job; or "added" with the number of the first
-- job, and for each job that stands for another one that is not added the position of that one, its own id, and 1 when
-- it stands for a deduplication id, else 0; and the bytes of each of these in an answer, since they are read apart.
-- All others have the numbers that follow, or ids of their own. Larger batches take adds/add-staged.
--
-- KEYS[1] wait
-- KEYS[2] active
-- KEYS[3] prioritized
-- KEYS[4] delayed
-- KEYS[5] events
-- KEYS[6] meta
-- KEYS[7] counter of ids
-- KEYS[8] marker
-- KEYS[9] counter of priorities
-- KEYS[10] registry of queues
-- ARGV[1] job key prefix
-- ARGV[2] timestamp
-- ARGV[3] deadline, in epoch ms of the store
-- ARGV[4] most jobs that may wait; empty for any number
-- ARGV[5] by what the add is remembered, as JSON: key, body (both digests), defaults, holder; empty when it is not
-- ARGV[6] "1" when jobs of the batch have deduplication ids
-- ARGV[7] most jobs of a group that may wait unless its settings say otherwise; empty for any number
-- ARGV[8…] of each job its place, name, data and options, and where jobs of the batch have deduplication ids its
-- deduplication as JSON, or nothing
--- @include "bullmq/getDelayedScore"
--- @include "adds/add-events"
--- @include "adds/added-once"
--- @include "adds/added-places"
--- @include "adds/created-queue"
--- @include "adds/expiring-jobs"
--- @include "adds/given-jobs"
--- @include "groups/grouped-queue"
--- @include "reading/in-time"
--- @include "adds/new-job"

-- The first argument of the jobs, and the most events of one: of its own, and of the job that it replaces.
local FIRST, MOST_EVENTS = 8, 4
local wait, active, prioritized, delayed, events, meta, counter, marker, priorityCounter, registry =
  KEYS[1], KEYS[2], KEYS[3], KEYS[4], KEYS[5], KEYS[6], KEYS[7], KEYS[8], KEYS[9], KEYS[10]
local prefix, timestamp, deadline, maxWaiting = ARGV[1], ARGV[2], ARGV[3], tonumber(ARGV[4])
local isDeduplicating = ARGV[6] == "1"
local fields = isDeduplicating and 5 or 4
local count = (#ARGV - FIRST + 1) / fields

if cameLate(deadline) then return CAME_LATE end

local known, remember = addedOnce(prefix, ARGV[5])
if known then return known end

-- Remembers the add, if it is to be, and returns what the script does.
local function added(number, existing, bytes)
  local first = string.format("%.0f", number)
  remember(timestamp, first, existing)
  return {"added", first, existing, bytes}
end
if count == 0 then return added(1, {}, {}) end

local queue = rcall("HMGET", meta, "opts.maxLenEvents", "paused", "concurrency", LISTED, GROUPED)
local isGrouped = queue[5]
local startable = not queue[2] and not (queue[3] and rcall("LLEN", active) >= tonumber(queue[3]))
rcall("LLEN", wait)
local length = rcall("XLEN", events)
rcall("ZCARD", marker)
if not queue[4] then rcall("ZCARD", registry) end

local jobs = givenJobs(FIRST, fields, prefix, timestamp)
local exists, hasGroups = jobs.exists, next(jobs.group)
local place = (maxWaiting or hasGroups or isDeduplicating) and {base = prefix, delayed = delayed, events = events,
  exists = exists, maxWaiting = maxWaiting, maxOfGroup = tonumber(ARGV[7])}
local deduplications
if isDeduplicating then
  --- @include "adds/deduplicated-adds"
  rcall("ZCARD", delayed)
  rcall("LLEN", active)
  deduplications = deduplicationsOf(place, jobs, count, timestamp, function(position)
    local at = FIRST + (position - 1) * fields
    return ARGV[at + 1], ARGV[at + 2], ARGV[at + 3]
  end)
end

if next(jobs.expires) then
  rcall("ZCARD", prefix .. EXPIRING)
  rcall("ZCARD", (registerOfExpiring(prefix)))
end
if next(jobs.due) then rcall("ZCARD", delayed) end
if next(jobs.priority) then
  rcall("ZCARD", prioritized)
  if not tonumber(rcall("GET", priorityCounter) or 0) then
    return redis.error_reply("WRONGTYPE " .. priorityCounter .. " is not a number")
  end
end
if hasGroups or isGrouped then checkGroupKeys(prefix) end

if maxWaiting or hasGroups then
  --- @include "adds/add-room"
  local room = roomIn(place, jobs, deduplications and deduplications.wouldStore)
  for position = 1, count do room.count(position) end
  local excess = room.excess()
  local refusal = refusalOf(excess > 0 and {{1, excess}} or {}, room.full)
  if refusal then return refusal end
end

local number = rcall("INCRBY", counter, count) - count
local maxEvents = queue[4] and queue[1] or createQueue(registry, meta)
local event, eventsOfAdded = addEvents(events, maxEvents, jobs.toCome)

local places = addedPlaces(prefix, wait, prioritized, priorityCounter, isGrouped, jobs)
if place then place.maxEvents, place.event, place.write = maxEvents, event, places.write end
local anyWaiting, anyDelayed, anyExpiring = false, false, false

-- The jobs that stand for others, and the bytes of each.
local existing, bytes = {}, {}
for position = 1, count do
  local at = FIRST + (position - 1) * fields
  local name, data, opts = ARGV[at + 1], ARGV[at + 2], ARGV[at + 3]
  local id, group, due, expires = jobs.id[position], jobs.group[position], jobs.due[position], jobs.expires[position]
  local isGiven = id
  number = number + 1
  if not id then id = number < 1e14 and tostring(number) or string.format("%.0f", number) end
  local standing, isDeduplicated = exists[id] and id, 0
  if standing then
    event("duplicated", id)
  elseif deduplications then
    standing, isDeduplicated = deduplications.standingFor(position, id), 1
  end
  if standing then
    local size = #existing + 1
    existing[size] = {position - 1, standing, isDeduplicated}
    bytes[size] = exists[standing] or rcall("EXISTS", prefix .. standing) == 1 and bytesOf(prefix .. standing) or 0
  else
    local job = prefix .. id
    writeJob(job, name, data, opts, timestamp, due and due - timestamp or "0", jobs.priority[position] or "0")
    if jobs.deduplication[position] then rcall("HSET", job, "deid", jobs.deduplicationId[position]) end
    if group then places.join(job, group, jobs.cost[position]) end
    if jobs.startCost[position] then noteCost(prefix, job, jobs.startCost[position]) end
    if expires then
      noteExpiry(prefix, id, expires)
      anyExpiring = true
    end
    if isGiven then exists[id] = #name + #data + #opts end
    eventsOfAdded(id, name, group, due)
    if due then
      rcall("ZADD", delayed, getDelayedScore(delayed, timestamp, due - timestamp), id)
      anyDelayed = true
    else
      places.add(position, id, group)
      anyWaiting = true
    end
  end
end
if deduplications then deduplications.write() end
places.write()

if length + MOST_EVENTS * count > tonumber(maxEvents) then rcall("XTRIM", events, "MAXLEN", "~", maxEvents) end
if anyExpiring then listExpiring(prefix) end
if anyWaiting and startable then rcall("ZADD", marker, 0, "0") end
if anyDelayed then
  --- @include "bullmq/addDelayMarkerIfNeeded"
  addDelayMarkerIfNeeded(marker, delayed)
end
return added(number - count + 1, existing, bytes)
