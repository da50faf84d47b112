-- Reads children of a job. Returns for the first, as many as an answer may hold, the name and the state, nothing of
-- either when it is gone, and what it returned. One that is too large is answered alone, by its state and its size.
--
-- REST: for each child the key prefix of its queue and its id
--- @include "reading/job-states"

local answers, room = {}, LARGEST_PIECE
for index = REST, #ARGV, 2 do
  local prefix, id = ARGV[index], ARGV[index + 1]
  local job = prefix .. id
  local record = redis.pcall("HMGET", job, "timestamp", "processedOn", "finishedOn")
  local isRecord = not record["err"] and rcall("HEXISTS", job, "name") == 1
  local state = isRecord and stateBy(prefix, id, record[2], record[3]) or false
  local size = rcall("HSTRLEN", returned, job) + (state and rcall("HSTRLEN", job, "name") or 0)
  if size > room and index > 1 then break end
  if size > room then return {{state, size}} end
  room = room - size
  answers[#answers + 1] = {state and rcall("HGET", job, "name"), state, rcall("HGET", returned, job)}
end
return answers
