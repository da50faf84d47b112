-- Reads some jobs, each with its state. Returns for each the state and the hash, nothing when its key holds something
-- that is not a job, or 1 in place of the hash when that would make the answer longer than what a script should copy.
-- The sizes of the fields that grow cost less than MEMORY USAGE, and going over the fields that were read less than
-- asking for some of them.
--
-- KEYS[1] any key of the queue, for its slot
--
-- ARGV[1] job key prefix
-- ARGV[2…] ids

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

local jobPrefix = ARGV[1]
local stateOf = statesIn(jobPrefix)

local function read(id, job)
  local hash, processedOn, finishedOn = rcall("HGETALL", job), false, false
  for index = 1, #hash, 2 do
    local field = hash[index]
    if field == "processedOn" then processedOn = hash[index + 1]
    elseif field == "finishedOn" then finishedOn = hash[index + 1]
    elseif field == "jobgate:attempts" then hash[index + 1] = "" end
  end
  return {stateOf(id, processedOn, finishedOn), hash}
end

local answers, room = {}, 262144
for index = 2, #ARGV do
  local id = ARGV[index]
  local job = jobPrefix .. id
  local data = redis.pcall("HSTRLEN", job, "data")
  if type(data) ~= "number" then
    answers[#answers + 1] = false
  else
    room = room - data - rcall("HSTRLEN", job, "returnvalue") - rcall("HSTRLEN", job, "progress")
    if room >= 0 then
      answers[#answers + 1] = read(id, job)
    else
      local times = rcall("HMGET", job, "processedOn", "finishedOn")
      answers[#answers + 1] = {stateOf(id, times[1], times[2]), 1}
    end
  end
end
return answers
