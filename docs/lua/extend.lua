-- Holds a job for a time without a renewal. Returns 1, 0 when the attempt does not hold the job, or CAME_LATE.
--
-- KEYS[1] job
-- KEYS[2] active
-- KEYS[3] stalled
-- KEYS[4] accepted
-- KEYS[5] acceptances
-- KEYS[6] register of queues with accepted jobs
--
-- ARGV[1] token
-- ARGV[2] id of the job
-- ARGV[3] duration in ms
-- ARGV[4] now, epoch ms
-- ARGV[5] name of the queue
-- ARGV[6] deadline, epoch ms of the store

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

-- Jobs that their endpoints accepted and complete later. An acceptance is the token of the attempt, when the job was
-- accepted and until when, separated by colons. No replica renews the lock of such a job, so it lasts longer than the
-- job's time, after which the search for overdue jobs ends the attempt. A register names the queues that have such
-- jobs, by the time of the next check.

-- How much longer than its time the lock of an accepted job lasts, in ms.
local LONGER = 86400000

-- Sets the time of the next check of the queue in the register.
local function registerAccepted(register, accepted, queue)
  local first = rcall("ZRANGE", accepted, 0, 0, "WITHSCORES")[2]
  if first then rcall("ZADD", register, first, queue) else rcall("ZREM", register, queue) end
end
-- Whether the deadline (epoch ms of the store) of a run is over: its caller has given up, so it must change nothing.
local function cameLate(deadline)
  local time = rcall("TIME")
  return tonumber(time[1]) * 1000 + tonumber(time[2]) / 1000 > tonumber(deadline)
end

local job, active, stalled, accepted, acceptances, register = KEYS[1], KEYS[2], KEYS[3], KEYS[4], KEYS[5], KEYS[6]
local token, id, duration, now, queue, deadline = ARGV[1], ARGV[2], ARGV[3], ARGV[4], ARGV[5], ARGV[6]
if cameLate(deadline) then return "came late" end
if not holds(job, id, active, token) then return 0 end
-- The write that takes no memory goes first, or a store whose memory is used up refuses all of them.
rcall("SREM", stalled, id)
local of, since = string.match(rcall("HGET", acceptances, id) or "", "^([^:]+):(%d+):")
if of == token then
  local ends = string.format("%.0f", now + duration)
  rcall("ZADD", accepted, ends, id)
  rcall("HSET", acceptances, id, token .. ":" .. since .. ":" .. ends)
  registerAccepted(register, accepted, queue)
  duration = duration + LONGER
end
rcall("SET", job .. ":lock", token, "PX", string.format("%.0f", duration))
return 1
