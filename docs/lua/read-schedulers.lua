-- Reads schedulers, and where their jobs are: the first of them, one at least, and as many as one command may read.
-- Returns of each its id, its slot, its record, the options of its next job, false when that started, ended before it
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

local schedulers, prefix = KEYS[1], ARGV[1]
local stateOf = statesIn(prefix)
local function read(id)
  local slot = rcall("ZSCORE", schedulers, id)
  local record = schedulers .. ":" .. id
  -- What older versions of BullMQ repeated in another way has no such field.
  if not slot or rcall("HEXISTS", record, "ic") == 0 then return false end
  local planned = rcall("HMGET", record .. ":" .. slot, "opts", "processedOn", "finishedOn")
  local answer = {id, slot, rcall("HGETALL", record), not planned[2] and not planned[3] and planned[1]}
  local last = rcall("HGET", record, "jobgate:last")
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
