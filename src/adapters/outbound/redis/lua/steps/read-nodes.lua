-- Reads jobs for a tree. Returns for each what it returned to the job above it, 1 where that is too long; and when the
-- job is there its state, whether it has children, its fields and values that are not too long, and the names of those
-- that are.
--
-- REST: for each job the key prefix of its queue and its id
--- @include "rules/job-states"

-- The values of a job that a tree shows unless they are long.
local SHOWN = {"name", "data", "opts", "returnvalue", "failedReason"}

local NUMBERS = {"timestamp", "processedOn", "finishedOn", "priority"}

local function node(prefix, id, returned)
  local job = prefix .. id
  local numbers = redis.pcall("HMGET", job, unpack(NUMBERS))
  if numbers["err"] or not numbers[1] or rcall("HEXISTS", job, "name") == 0 then return {returned} end
  local state = stateBy(prefix, id, numbers[2], numbers[3])
  if not state then return {returned} end
  local fields, long = {}, {}
  for index, field in ipairs(NUMBERS) do
    if numbers[index] then fields[#fields + 1], fields[#fields + 2] = field, numbers[index] end
  end
  for _, field in ipairs(SHOWN) do
    if rcall("HSTRLEN", job, field) > MAX_TREE_VALUE then
      long[#long + 1] = field
    else
      local value = rcall("HGET", job, field)
      if value then fields[#fields + 1], fields[#fields + 2] = field, value end
    end
  end
  local children = rcall("EXISTS",
    job .. ":dependencies", job .. ":processed", job .. ":failed", job .. ":unsuccessful")
  return {returned, state, children, fields, long}
end

local answers = {}
for index = REST, #ARGV, 2 do
  local prefix, id = ARGV[index], ARGV[index + 1]
  local job = prefix .. id
  local isLong = rcall("HSTRLEN", returned, job) > MAX_TREE_VALUE
  answers[#answers + 1] = node(prefix, id, isLong and 1 or rcall("HGET", returned, job))
end
return answers
