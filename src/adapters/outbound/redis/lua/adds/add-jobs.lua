-- In TypeScript: domain/transitions/add
-- Adds a batch of jobs as one step. The keys and events that it writes are those of BullMQ's own `addStandardJob`,
-- `addDelayedJob` and `addPrioritizedJob`; what is the same for all of its jobs is done once.
--
-- Everything that could fail comes before the first write, or is the first write: the script checks the type of every
-- key, and a store without free memory refuses to count the ids. So the batch is stored whole or not at all. After the
-- deadline, when the add was reported as failed, it stores nothing.
--
-- Returns one element for each job: its id, or for a job that stands for it the id of that, 1 when it stands for the
-- deduplication id, else 0, and its bytes in an answer, since it is read apart. An add that is remembered returns these
-- behind "added", what is known of its key, or "lost" when its holder lost its job. Returns CAME_LATE after the
-- deadline, FULL when too many jobs would wait, and where a group has no room GROUP_FULL, the number of the first job
-- that is too many, and how many wait. Larger batches take adds/add-staged.
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
--- @include "adds/batch-contents"
--- @include "adds/batch-events"
--- @include "adds/batch-pushes"
--- @include "adds/created-queue"
--- @include "adds/expiring-jobs"
--- @include "groups/group-places"
--- @include "groups/grouped-queue"
--- @include "reading/in-time"
--- @include "adds/job-bytes"
--- @include "adds/new-job"
--- @include "adds/place"
--- @include "adds/priority-score"

local FIRST = 8
local wait, active, prioritized, delayed, events, meta, counter, marker, priorityCounter, registry =
  KEYS[1], KEYS[2], KEYS[3], KEYS[4], KEYS[5], KEYS[6], KEYS[7], KEYS[8], KEYS[9], KEYS[10]
local prefix, timestamp, deadline, maxWaiting = ARGV[1], ARGV[2], ARGV[3], tonumber(ARGV[4])
local isDeduplicating = ARGV[6] == "1"
local fields = isDeduplicating and 5 or 4
local count = (#ARGV - FIRST + 1) / fields

if cameLate(deadline) then return CAME_LATE end

local identity, records, record
if ARGV[5] ~= "" then
  --- @include "adds/recalled-add"
  identity, records = cjson.decode(ARGV[5]), prefix .. REMEMBERED
  --- @include "adds/lost-holder"
  if identity.holder and isLost(identity.holder) then return {"lost"} end
  record = records .. "-" .. identity.key
  local known = recall(record, identity.body)
  if known then return known end
  rcall("LLEN", records)
end

-- Remembers the add, if it is to be, and returns what the script does. `first` is the number of the first job.
local function answered(answers, first)
  if not identity then return answers end
  --- @include "adds/remembered-add"
  local existing = {}
  for index, answer in ipairs(answers) do
    if type(answer) == "table" then existing[#existing + 1] = {index - 1, answer[1], answer[2]} end
  end
  remember(record, records, identity.body, identity.defaults, timestamp, string.format("%.0f", first), existing)
  return {"added", answers}
end
if count == 0 then return answered({}, 1) end

local queue = rcall("HMGET", meta, "opts.maxLenEvents", "paused", "concurrency", LISTED, GROUPED)
local isGrouped = queue[5]
local startable = not queue[2] and not (queue[3] and rcall("LLEN", active) >= tonumber(queue[3]))
rcall("LLEN", wait)
rcall("XLEN", events)
rcall("ZCARD", marker)
if not queue[4] then rcall("ZCARD", registry) end

local deduplications, wouldStore, deduplicate = {}, nil, nil
if isDeduplicating then
  --- @include "adds/deduplicated-adds"
  rcall("ZCARD", delayed)
  rcall("LLEN", active)
  deduplications = givenDeduplications(prefix, FIRST, fields)
  wouldStore, deduplicate = deduplicating(prefix, delayed, events, timestamp)
end

local contents = contentsOf(FIRST, fields, prefix, deduplications)
local bytes, anyOfGroup = contents.bytes, contents.hasGroups
local expiring, expiringQueues, queueName
if contents.isExpiring then
  expiring, expiringQueues, queueName = prefix .. EXPIRING, registerOfExpiring(prefix)
  rcall("ZCARD", expiring)
  rcall("ZCARD", expiringQueues)
end
if contents.isDelayed then rcall("ZCARD", delayed) end
if contents.isPrioritized then
  rcall("ZCARD", prioritized)
  if not tonumber(rcall("GET", priorityCounter) or 0) then
    return redis.error_reply("WRONGTYPE " .. priorityCounter .. " is not a number")
  end
end
if anyOfGroup or isGrouped then checkGroupKeys(prefix) end

if maxWaiting or anyOfGroup then
  --- @include "adds/batch-room"
  local refusal = refusalOf({
    first = FIRST, fields = fields, bytes = bytes, deduplications = deduplications, wouldStore = wouldStore,
    hasGroups = anyOfGroup, maxWaiting = maxWaiting, maxOfGroup = tonumber(ARGV[7]),
  }, prefix, wait, prioritized, isGrouped)
  if refusal then return refusal end
end

local number = rcall("INCRBY", counter, count) - count
local first = number + 1
local maxEvents = queue[4] and queue[1] or createQueue(registry, meta)
local writeEvent = batchEvents(events, maxEvents, contents.events)
local push, pushRest = batchPushes(wait)

local answers, anyWaiting, anyUngrouped, anyAddedDelayed, firstExpiry = {}, false, false, false, nil
for index = FIRST, #ARGV, fields do
  local delay, priority, lifo, id, ttl, cost, group = placeOf(ARGV[index])
  local name, data, opts = ARGV[index + 1], ARGV[index + 2], ARGV[index + 3]
  local isNumbered, existing = id == "", nil
  number = number + 1
  if isNumbered then id = number < 1e14 and tostring(number) or string.format("%.0f", number) end
  if bytes[id] then
    writeEvent("duplicated", id)
    existing = {id, 0, bytes[id]}
  elseif deduplications[index] then
    local standing = deduplicate(deduplications[index], id, name, data, opts, delay, bytes, maxEvents)
    existing = standing and
      {standing, 1, rcall("EXISTS", prefix .. standing) == 1 and bytesOf(prefix .. standing) or 0}
  end
  if existing then
    answers[#answers + 1] = existing
  else
    local job = prefix .. id
    writeJob(job, name, data, opts, timestamp, delay, priority)
    if deduplications[index] then rcall("HSET", job, "deid", deduplications[index]["id"]) end
    if group then
      if not isGrouped then
        pushRest()
        becomeGrouped(prefix, meta, wait, prioritized)
        isGrouped = true
      end
      joinGroup(job, group, cost)
    end
    if ttl ~= "0" then
      local expires = noteExpiry(job, expiring, id, timestamp, ttl)
      firstExpiry = math.min(expires, firstExpiry or expires)
    end
    if not isNumbered then bytes[id] = #name + #data + #opts end
    writeEvent("added", id, "name", name, group)
    if delay ~= "0" then
      local score, dueAt = getDelayedScore(delayed, timestamp, tonumber(delay))
      rcall("ZADD", delayed, score, id)
      writeEvent("delayed", id, "delay", dueAt, group)
      anyAddedDelayed = true
    else
      if group then
        groupPlaces().waitInGroup(prefix, group, id, tonumber(priority), lifo == "1" and priority == "0")
      elseif priority ~= "0" then
        rcall("ZADD", prioritized, getPriorityScore(tonumber(priority), priorityCounter), id)
      else
        push(id, lifo)
      end
      if isGrouped and not group and not anyUngrouped then
        groupPlaces().beReady(prefix, "")
        -- While nothing waits, the next job of a group would forget this turn.
        pushRest()
        anyUngrouped = true
      end
      writeEvent("waiting", id, nil, nil, group)
      anyWaiting = true
    end
    answers[#answers + 1] = id
  end
end
pushRest()

if firstExpiry then listExpiring(expiringQueues, queueName, firstExpiry) end
if anyWaiting and startable then rcall("ZADD", marker, 0, "0") end
if anyAddedDelayed then
  --- @include "bullmq/addDelayMarkerIfNeeded"
  addDelayMarkerIfNeeded(marker, delayed)
end
return answered(answers, first)
