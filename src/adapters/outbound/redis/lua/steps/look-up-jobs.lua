-- Looks jobs up. Returns for each of the first, as many as an answer may hold, its state and fields as
-- rules/read-fields has them, or nothing when it is not there.
--
-- REST: their ids, then the fields to read of each
--- @include "rules/job-state"
--- @include "rules/read-fields"

local ids, names = {unpack(ARGV, REST, REST + count - 1)}, {unpack(ARGV, REST + count)}
local stateOf = statesIn(prefix)
local answers = {}
for index, row in ipairs(readFirst(prefix, names, ids, count)) do
  local id = ids[index]
  local times = row and rcall("HMGET", prefix .. id, "processedOn", "finishedOn")
  local state = row and stateOf(id, times[1], times[2])
  answers[index] = state and {state, row} or false
end
return answers
