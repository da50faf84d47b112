-- In TypeScript: domain/transitions/add-flow
-- Adds the jobs of a small flow in one step, whatever their queues: all keys of a prefix are in one slot. The keys and
-- events are those that BullMQ's own flow producers leave. All that could fail comes before the first write, or is the
-- first write, so the flow is stored whole or not at all.
--
-- Returns CAME_LATE, the refusal of adds/queue-room, "exists" with the position of a job, what is known of the key of a
-- remembered flow, or "added".
--
-- remembered: by what the flow is remembered, as JSON: key, body (both digests), and as defaults its origin; empty when
--   it is not
-- home: the queue that remembers it
-- isDry: whether to store nothing
-- queueCount: how many queues there are
-- isPlain: whether all jobs go to the lists of their queues, behind others, and have neither parents nor given ids
-- REST: of each queue its name and the most jobs that may wait there, and of a group there, or nothing; then of each
--   job the position of its queue, its place, name, data and options, the position of its parent or nothing, what
--   BullMQ keeps of that as JSON, and `p` for one that waits for children and `g` for one with an id that was given, or
--   both; where all are plain, the id of each in place of its place, and nothing behind its options
--- @include "adds/flow-jobs"
--- @include "adds/flow-queue"
--- @include "adds/place"
--- @include "reading/in-time"

-- How many arguments each queue and each job of a flow has.
local QUEUE_ARGUMENTS, JOB_ARGUMENTS = 3, isPlain and 5 or 8

if cameLate(deadline) then return CAME_LATE end

local identity, records, record
if remembered ~= "" then
  --- @include "adds/recalled-add"
  identity, records = cjson.decode(remembered), prefix .. ":" .. home .. ":" .. REMEMBERED
  record = records .. "-" .. identity.key
  local known = recall(record, identity.body)
  if known then return known end
  rcall("LLEN", records)
end

local queues, jobs, lacking = {}, {}, {}
local first = REST
for index = 1, queueCount do
  local queue, problem = queueOfFlow(prefix, ARGV[first], ARGV[first + 1], ARGV[first + 2], isPlain)
  if not queue then return problem end
  queues[index] = queue
  first = first + QUEUE_ARGUMENTS
end
rcall("ZCARD", expiringQueues)
rcall("ZCARD", registry)

for at = first, #ARGV, JOB_ARGUMENTS do
  local queue = queues[tonumber(ARGV[at])]
  local delay, priority, lifo, id, ttl, cost, group, startCost = placeOf(isPlain and "" or ARGV[at + 1])
  if isPlain then id = ARGV[at + 1] end
  local above, marks = not isPlain and jobs[tonumber(ARGV[at + 5])], isPlain and "" or ARGV[at + 7]
  local isParent = string.find(marks, "p", 1, true)
  if string.find(marks, "g", 1, true) and rcall("EXISTS", queue.base .. id) == 1 then
    return {"exists", #jobs}
  end
  queue.jobs = queue.jobs + 1
  if delay == "0" and not isParent then
    queue.toWait = queue.toWait + 1
    local full = group and queue.addToGroup and queue.addToGroup(group)
    if full then lacking[#lacking + 1] = {#jobs, full} end
  end
  jobs[#jobs + 1] = {name = ARGV[at + 2], data = ARGV[at + 3], opts = ARGV[at + 4], above = above and above.key,
    parent = ARGV[at + 6], queue = queue, id = id, key = queue.base .. id, delay = tonumber(delay),
    priority = tonumber(priority), isLifo = lifo == "1", ttl = tonumber(ttl), isParent = isParent, cost = cost,
    group = group, startCost = startCost}
end
local refusal = refusalOf(queues, excessIn(queues), lacking)
if refusal then return refusal end
if isDry then return {"added", "", {}} end
storeJobs(queues, jobs, timestamp, registry)
if identity then
  --- @include "adds/remembered-add"
  remember(record, records, identity.body, identity.defaults, timestamp, "", {})
end
return {"added", "", {}}
