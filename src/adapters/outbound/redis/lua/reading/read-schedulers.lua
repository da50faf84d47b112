-- Reads schedulers, and where their jobs are: the first of them, one at least, and as many as one command may read.
-- Returns of each its id, its slot, its record, the options of its next job, false when that is past, ended before it
-- started, or is gone, and the last job that started and the last that was run by hand: each false without one, else
-- its id and its state (false without the job); or false for what is no scheduler.
--
-- REST: ids of schedulers
--- @include "reading/job-state"
--- @include "adds/next-of-scheduler"

local stateOf = statesIn(prefix)
local function jobNamed(id)
  if not id then return false end
  local job = rcall("HMGET", prefix .. id, "timestamp", "processedOn", "finishedOn")
  return {id, job[1] and stateOf(id, job[2], job[3]) or false}
end

local function read(id)
  local slot = rcall("ZSCORE", schedulers, id)
  local record, fields = rcall("HGETALL", schedulers .. ":" .. id), {}
  for index = 1, #record, 2 do fields[record[index]] = record[index + 1] end
  -- What older versions of BullMQ repeated in another way has no such field.
  if not slot or not fields.ic then return false end
  local jobId = "repeat:" .. id .. ":" .. slot
  local planned = rcall("HMGET", prefix .. jobId, "opts", "finishedOn")
  local byHand = string.match(fields[RUN_BY_HAND] or "", "^%d+:(.*)$")
  return {id, slot, record, not planned[2] and not isPast(prefix, id, jobId) and planned[1],
    jobNamed(fields[LAST]), jobNamed(byHand)}
end

local answers, room = {}, LARGEST_PIECE
for index = REST, #ARGV do
  local record = schedulers .. ":" .. ARGV[index]
  room = room - rcall("HSTRLEN", record, "data") - rcall("HSTRLEN", record, "name")
  if room < 0 and index > REST then break end
  answers[#answers + 1] = read(ARGV[index])
end
return answers
