-- Finds the job of a claim that never got its answer. Returns the job's hash and id as a claim does, or nothing.
--
-- KEYS[1] active
--
-- ARGV[1] job key prefix
-- ARGV[2] token

local rcall = redis.call
-- Whether the attempt holds the job although its lock expired, as happens when the store was down and no replica
-- could renew it. It does as long as the job is active and was not started anew: each start of a job, by a native
-- worker too, writes another start time beside the token. An id that a client made up may name another key of the
-- queue, which is not a job.
local function holdsWithoutLock(jobKey, jobId, activeKey, token)
  if rcall("TYPE", jobKey).ok ~= "hash" then return end
  local start = rcall("HMGET", jobKey, "processedOn", "jobgate:attempt")
  return start[1] and start[2] == start[1] .. ":" .. token and rcall("LPOS", activeKey, jobId) and true
end

-- Whether the token is that of the job's running attempt.
local function holds(jobKey, jobId, activeKey, token)
  local lock = rcall("GET", jobKey .. ":lock")
  if lock then return lock == token end
  return holdsWithoutLock(jobKey, jobId, activeKey, token)
end
-- Adds that field. The store keeps children beside their parent, so it has to be asked for them; not for a job
-- that only has a number for an id, as most have, since jobs of flows are known by more.
local function markedParent(jobKey, jobId, record)
  if not string.find(jobId, "^%d+$") and rcall("EXISTS", jobKey .. ":dependencies", jobKey .. ":processed",
      jobKey .. ":failed", jobKey .. ":unsuccessful") > 0 then
    record[#record + 1] = "jobgate:parent"
    record[#record + 1] = "1"
  end
  return record
end

local active = KEYS[1]
local prefix, token = ARGV[1], ARGV[2]
for _, id in ipairs(rcall("LRANGE", active, 0, -1)) do
  local job = prefix .. id
  if holds(job, id, active, token) then
    local record = redis.pcall("HGETALL", job)
    if not record["err"] then return {markedParent(job, id, record), id, 0, 0} end
  end
end
return false
