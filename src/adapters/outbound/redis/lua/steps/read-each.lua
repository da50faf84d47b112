-- Reads some jobs, each with its state. Returns for each the state and the hash, nothing when its key holds something
-- that is no job, or 1 in place of the hash when that would make the answer longer than what a script should copy.
-- The sizes of the fields that grow cost less than MEMORY USAGE, and going over the fields that were read less than
-- asking for some of them.
--
-- REST: the ids
--- @include "rules/job-state"

local stateOf = statesIn(prefix)

local function read(id, job)
  local hash, processedOn, finishedOn = rcall("HGETALL", job), false, false
  for index = 1, #hash, 2 do
    local field = hash[index]
    if field == "processedOn" then processedOn = hash[index + 1]
    elseif field == "finishedOn" then finishedOn = hash[index + 1]
    elseif field == RECORDED then hash[index + 1] = "" end
  end
  local state = stateOf(id, processedOn, finishedOn)
  return state and {state, hash} or false
end

local answers, room = {}, LARGEST_PIECE
for index = REST, #ARGV do
  local id = ARGV[index]
  local job = prefix .. id
  local data = redis.pcall("HSTRLEN", job, "data")
  if type(data) ~= "number" then
    answers[#answers + 1] = false
  else
    room = room - data - rcall("HSTRLEN", job, "returnvalue") - rcall("HSTRLEN", job, "progress")
    if room >= 0 then
      answers[#answers + 1] = read(id, job)
    else
      local times = rcall("HMGET", job, "processedOn", "finishedOn")
      local state = stateOf(id, times[1], times[2])
      answers[#answers + 1] = state and {state, 1} or false
    end
  end
end
return answers
