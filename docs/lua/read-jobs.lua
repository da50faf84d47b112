-- Returns the hashes of the first of some jobs, as many as one command may read; of what is no job an empty hash.
--
-- KEYS[1] any key of the queue, for its slot
--
-- ARGV[1] job key prefix
-- ARGV[2…] ids

local rcall = redis.call
-- The hash of a job that is read to be answered, without what is on record of its attempts: that may be long.
local function withoutRecord(hash)
  for index = #hash - 1, 1, -2 do
    if hash[index] == "jobgate:attempts" then
      hash[index + 1] = ""
      break
    end
  end
  return hash
end

-- From what size on a job is looked at for what is on record of its attempts, in bytes.
local LONG = 1024

-- The bytes that a job takes. A store or a user without MEMORY is asked for the fields that grow.
local function sizeOf(job)
  local size = redis.pcall("MEMORY", "USAGE", job, "SAMPLES", "100")
  if type(size) == "number" then return size end
  size = 0
  for _, field in ipairs({"name", "data", "opts", "progress", "returnvalue", "failedReason", "stacktrace"}) do
    local length = redis.pcall("HSTRLEN", job, field)
    if type(length) == "number" then size = size + length end
  end
  return size
end

-- The hashes of some jobs in order: from position `first` of the ids on, and as many as one command may read, none when
-- already the first is too large. What is no job is an empty hash. The size is asked for before the job is read,
-- because what a script reads is copied twice more; one question for all fields is quickest.
local function readJobs(jobPrefix, ids, first)
  local jobs, room = {}, 262144
  for index = first, math.min(#ids, first + 100 - 1) do
    local job = jobPrefix .. ids[index]
    local size = sizeOf(job)
    room = room - size
    if room < 0 and rcall("TYPE", job).ok == "hash" then break end
    local hash = redis.pcall("HGETALL", job)
    if hash.err then hash = rcall("TYPE", job).ok == "hash" and rcall("HGETALL", job) or {} end
    jobs[#jobs + 1] = size > LONG and withoutRecord(hash) or hash
  end
  return jobs
end

return readJobs(ARGV[1], ARGV, 2)
