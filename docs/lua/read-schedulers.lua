-- Reads schedulers, and where their jobs are: the first of them, one at least, and as many as one command may read.
-- Returns of each its id, its slot, its record, the options of its next job, false when that is past, ended before it
-- started, or is gone, and, when one has started, the last job and its state (false without the job); or false for what
-- is no scheduler.
--
-- KEYS[1] schedulers of the queue
--
-- ARGV[1] job key prefix
-- ARGV[2…] ids of schedulers

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
-- Whether a job of a scheduler is over for it: it started, even if it waits again, or the scheduler ended with it. Native
-- workers note a start only in the job.
local function isPast(prefix, scheduler, jobId)
  local known = rcall("HMGET", prefix .. "repeat:" .. scheduler, "jobgate:last", "jobgate:ended-with")
  return known[1] == jobId or known[2] == jobId or rcall("HEXISTS", prefix .. jobId, "processedOn") == 1
end

-- Whether a job is the next one of its scheduler, to go on with once it starts. The last one stays in the register of
-- the schedulers when it is past.
local function isNextOfScheduler(prefix, jobId)
  local scheduler, slot = string.match(jobId, "^repeat:(.*):(%d+)$")
  return scheduler and rcall("ZSCORE", prefix .. "repeat", scheduler) == slot and not isPast(prefix, scheduler, jobId)
end

local schedulers, prefix = KEYS[1], ARGV[1]
local stateOf = statesIn(prefix)
local function read(id)
  local slot = rcall("ZSCORE", schedulers, id)
  local record, fields = rcall("HGETALL", schedulers .. ":" .. id), {}
  for index = 1, #record, 2 do fields[record[index]] = record[index + 1] end
  -- What older versions of BullMQ repeated in another way has no such field.
  if not slot or not fields.ic then return false end
  local jobId = "repeat:" .. id .. ":" .. slot
  local planned = rcall("HMGET", prefix .. jobId, "opts", "finishedOn")
  local answer = {id, slot, record, not planned[2] and not isPast(prefix, id, jobId) and planned[1]}
  local last = fields["jobgate:last"]
  if last then
    local job = rcall("HMGET", prefix .. last, "timestamp", "processedOn", "finishedOn")
    answer[5] = {last, job[1] and stateOf(last, job[2], job[3]) or false}
  end
  return answer
end

local answers, room = {}, 262144
for index = 2, #ARGV do
  local record = schedulers .. ":" .. ARGV[index]
  room = room - rcall("HSTRLEN", record, "data") - rcall("HSTRLEN", record, "name")
  if room < 0 and index > 2 then break end
  answers[index - 1] = read(ARGV[index])
end
return answers
