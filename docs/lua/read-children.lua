-- Reads children of a job. Returns for the first, as many as an answer may hold, the name and the state, nothing of
-- either when it is gone, and what it returned. One that is too large is answered alone, by its state and its size.
--
-- KEYS[1] what the children returned
--
-- ARGV[1…] for each child the key prefix of its queue and its id

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

-- The functions of rules/job-state by the prefixes of their queues.
local states = {}

-- Returns the state of a job of any queue, given its id and two of its times.
local function stateBy(prefix, id, processedOn, finishedOn)
  states[prefix] = states[prefix] or statesIn(prefix)
  return states[prefix](id, processedOn, finishedOn)
end

local returned = KEYS[1]
local answers, room = {}, 262144
for index = 1, #ARGV, 2 do
  local prefix, id = ARGV[index], ARGV[index + 1]
  local job = prefix .. id
  local record = redis.pcall("HMGET", job, "timestamp", "processedOn", "finishedOn")
  local isThere = not record["err"] and rcall("HEXISTS", job, "name") == 1
  local size = rcall("HSTRLEN", returned, job) + (isThere and rcall("HSTRLEN", job, "name") or 0)
  if size > room and index > 1 then break end
  local state = isThere and stateBy(prefix, id, record[2], record[3])
  if size > room then return {{state, size}} end
  room = room - size
  answers[#answers + 1] = {isThere and rcall("HGET", job, "name"), state, rcall("HGET", returned, job)}
end
return answers
