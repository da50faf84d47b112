-- Returns 1 if any of some jobs is active, else 0.
--
-- KEYS[1] any key of their slot
--
-- ARGV[1…] of each job the key prefix of its queue and its id

local rcall = redis.call
for index = 1, #ARGV, 2 do
  local prefix, id = ARGV[index], ARGV[index + 1]
  local record = redis.pcall("HMGET", prefix .. id, "processedOn", "finishedOn")
  if not record["err"] and record[1] and not record[2] and rcall("LPOS", prefix .. "active", id) then return 1 end
end
return 0
