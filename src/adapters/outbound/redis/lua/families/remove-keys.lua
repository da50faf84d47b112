-- Removes leftover keys of jobs that no longer exist.
--
-- REST: the keys

for index = REST, #ARGV do
  local key = ARGV[index]
  local job = string.sub(key, 1, #deduplication) == deduplication and redis.pcall("GET", key)
  local withSteps = string.match(key, "^(.*)" .. STEP_VALUES .. "$")
  local isOfJob = type(job) == "string" and rcall("EXISTS", prefix .. job) == 1 or
    withSteps and rcall("EXISTS", withSteps) == 1
  if not isOfJob then rcall("UNLINK", key) end
end
