-- Reads schedulers, and where their jobs are: the first of them, one at least, and as many as one command may read.
-- Returns of each its id, its slot, its record, the options of its next job, false when that is past, ended before it
-- started, or is gone, and, when one has started, the last job and its state (false without the job); or false for what
-- is no scheduler.
--
-- KEYS[1] schedulers of the queue
--
-- ARGV[1] job key prefix
-- ARGV[2…] ids of schedulers
--- @include "rules/job-state"
--- @include "rules/next-of-scheduler"

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
  local last = fields[LAST]
  if last then
    local job = rcall("HMGET", prefix .. last, "timestamp", "processedOn", "finishedOn")
    answer[5] = {last, job[1] and stateOf(last, job[2], job[3]) or false}
  end
  return answer
end

local answers, room = {}, LARGEST_PIECE
for index = 2, #ARGV do
  local record = schedulers .. ":" .. ARGV[index]
  room = room - rcall("HSTRLEN", record, "data") - rcall("HSTRLEN", record, "name")
  if room < 0 and index > 2 then break end
  answers[index - 1] = read(ARGV[index])
end
return answers
