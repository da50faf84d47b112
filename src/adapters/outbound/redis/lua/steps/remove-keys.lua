-- Removes leftover keys of jobs that no longer exist.
--
-- KEYS[1] meta, for its slot
--
-- ARGV[1] job key prefix
-- ARGV[2] what stands before a deduplication id
-- ARGV[3…] keys
local prefix, deduplication = ARGV[1], ARGV[2]
for index = 3, #ARGV do
  local key = ARGV[index]
  local job = string.sub(key, 1, #deduplication) == deduplication and redis.pcall("GET", key)
  local isOfJob = type(job) == "string" and rcall("EXISTS", prefix .. job) == 1
  if not isOfJob then rcall("UNLINK", key) end
end
