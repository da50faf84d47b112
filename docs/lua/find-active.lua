-- Returns 1 if any of some jobs is active, else 0.
--
-- KEYS[1] any key of their slot
--
-- ARGV[1…] of each job the key prefix of its queue and its id

local rcall = redis.call
-- Whether an attempt holds a job, or held it until its lock ran out: a check for stalled jobs puts that one back.
local function isActive(prefix, id)
  local record = redis.pcall("HMGET", prefix .. id, "processedOn", "finishedOn")
  return not record["err"] and record[1] and not record[2] and rcall("LPOS", prefix .. "active", id) and true or false
end

for index = 1, #ARGV, 2 do
  if isActive(ARGV[index], ARGV[index + 1]) then return 1 end
end
return 0
