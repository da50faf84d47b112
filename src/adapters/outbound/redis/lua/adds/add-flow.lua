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
-- terms: of the queues, as queuesOfFlow has them
-- isPlain: whether all jobs go to the lists of their queues, behind others, and have neither parents nor given ids
-- REST: of each job the position of its queue, below zero where its name, data and options are those of the job before,
--   and left out; its place, or its id where all are plain; unless they are, the position of its parent or nothing,
--   what BullMQ keeps of that as JSON, and `p` for one that waits for children and `g` for one with an id that was
--   given, or both; its name, data and options
--- @include "adds/added-once"
--- @include "adds/flow-jobs"
--- @include "adds/flow-queue"
--- @include "reading/in-time"

if cameLate(deadline) then return CAME_LATE end

local known, remember = addedOnce(prefix .. ":" .. home .. ":", remembered)
if known then return known end

local jobs, lacking = {}, {}
local queues, problem = queuesOfFlow(prefix, terms, isPlain)
if problem then return problem end
rcall("ZCARD", expiringQueues)
rcall("ZCARD", registry)

local at, payload = REST, nil
while ARGV[at] do
  local number, place, marks, above, parent = tonumber(ARGV[at]), ARGV[at + 1], "", nil, nil
  at = at + 2
  if not isPlain then
    above, parent, marks = jobs[tonumber(ARGV[at])], ARGV[at + 1], ARGV[at + 2]
    at = at + 3
  end
  if number > 0 then payload, at = at, at + 3 end
  local queue = queues[math.abs(number)]
  if queue.isPlain then
    queue.jobs, queue.toWait = queue.jobs + 1, queue.toWait + 1
    queue.plain[queue.jobs], queue.payloads[queue.jobs] = place, payload
  else
    local isParent = string.find(marks, "p", 1, true)
    local job, full = flowJob(queue, isPlain and "" or place, payload, isPlain and place, isParent)
    if string.find(marks, "g", 1, true) and rcall("EXISTS", job.key) == 1 then return {"exists", #jobs} end
    if full then lacking[#lacking + 1] = {#jobs, full} end
    if above then job.above, job.family = above.key, {"parentKey", above.key, "parent", parent} end
    jobs[#jobs + 1] = job
  end
end
local refusal = refusalOf(excessIn(queues), lacking)
if refusal then return refusal end
if isDry then return {"added", "", {}} end
problem = storeJobs(queues, jobs, timestamp, registry)
if problem then return problem end
remember(timestamp, "", {})
return {"added", "", {}}
