-- Looks jobs up. Returns for each of the first, as many as an answer may hold, its state and fields as
-- rules/read-fields has them, or nothing when it is not there.
--
-- KEYS[1] any key of the queue
--
-- ARGV[1] job key prefix
-- ARGV[2] how many jobs
-- ARGV[3…] their ids, then the fields to read of each
--- @include "rules/job-state"
--- @include "rules/read-fields"

local prefix, count = ARGV[1], tonumber(ARGV[2])
local ids, names = {unpack(ARGV, 3, 2 + count)}, {unpack(ARGV, 3 + count)}
local stateOf = statesIn(prefix)
local answers = {}
for index, row in ipairs(readFirst(prefix, names, ids, count)) do
  local id = ids[index]
  local times = row and rcall("HMGET", prefix .. id, "processedOn", "finishedOn")
  local state = row and stateOf(id, times[1], times[2])
  answers[index] = state and {state, row} or false
end
return answers
