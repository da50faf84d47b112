-- Whether the attempt holds the job although its lock expired, as happens when the store was down and no replica
-- could renew it. It does as long as the job is active and was not started anew: each start of a job, by a native
-- worker too, writes another start time beside the token. An id that a client made up may name another key of the
-- queue, which is not a job.
local function holdsWithoutLock(jobKey, jobId, activeKey, token)
  if rcall("TYPE", jobKey).ok ~= "hash" then return end
  local start = rcall("HMGET", jobKey, "processedOn", ATTEMPT)
  return start[1] and start[2] == start[1] .. ":" .. token and rcall("LPOS", activeKey, jobId) and true
end

-- Whether the token is that of the job's running attempt.
local function holds(jobKey, jobId, activeKey, token)
  local lock = rcall("GET", jobKey .. ":lock")
  if lock then return lock == token end
  return holdsWithoutLock(jobKey, jobId, activeKey, token)
end
