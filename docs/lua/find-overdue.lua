-- Finds overdue accepted jobs. Those that it returns are not checked again for a while, so that other jobs get their
-- turn, and another replica takes over should this one die. Jobs with ended attempts are removed. Returns for each its
-- id, the token, how many ms it had, and the hash.
--
-- KEYS[1] active
-- KEYS[2] accepted
-- KEYS[3] acceptances
-- KEYS[4] register of queues with accepted jobs
--
-- ARGV[1] job key prefix
-- ARGV[2] name of the queue
-- ARGV[3] now, epoch ms
-- ARGV[4] when the returned ones are checked again, epoch ms

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

-- Most jobs that one search returns, and characters of their data after which it returns no more.
local MOST_OVERDUE, MOST_CHARACTERS = 50, 1048576

local active, accepted, acceptances, register = KEYS[1], KEYS[2], KEYS[3], KEYS[4]
local prefix, queue, now, later = ARGV[1], ARGV[2], ARGV[3], ARGV[4]
rcall("ZREM", accepted, "")
local overdue, characters = {}, 0
for _, id in ipairs(rcall("ZRANGEBYSCORE", accepted, "-inf", now, "LIMIT", 0, MOST_OVERDUE)) do
  if characters > MOST_CHARACTERS then break end
  local token, since, ends = string.match(rcall("HGET", acceptances, id) or "", "^([^:]+):(%d+):(%d+)$")
  local record = token and holds(prefix .. id, id, active, token) and redis.pcall("HGETALL", prefix .. id)
  if record and not record["err"] and #record > 0 then
    rcall("ZADD", accepted, later, id)
    for _, text in ipairs(record) do characters = characters + #text end
    overdue[#overdue + 1] = {id, token, string.format("%.0f", ends - since), withoutRecord(record)}
  else
    rcall("ZREM", accepted, id)
    rcall("HDEL", acceptances, id)
  end
end
registerAccepted(register, accepted, queue)
return overdue
