-- Renews the locks of attempts. The check of a token and the write are one step: a token is invalid from the moment
-- that its attempt has ended or lost its job. Returns the positions, from 1, of those that had lost their jobs.
--
-- KEYS[1] stalled
-- KEYS[2] active
--
-- ARGV[1] job key prefix
-- ARGV[2] duration in ms
-- ARGV[3…] of each attempt the id of the job and the token

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

local stalled, active = KEYS[1], KEYS[2]
local prefix, duration = ARGV[1], ARGV[2]
local lost = {}
for index = 3, #ARGV, 2 do
  local id, token = ARGV[index], ARGV[index + 1]
  local job = prefix .. id
  if holds(job, id, active, token) then
    -- The write that takes no memory goes first, or a store whose memory is used up refuses both.
    rcall("SREM", stalled, id)
    rcall("SET", job .. ":lock", token, "PX", duration)
  else
    table.insert(lost, (index - 1) / 2)
  end
end
return lost
