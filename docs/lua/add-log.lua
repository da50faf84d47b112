-- Adds a line to the log of a job. Native producers may limit how many lines their job keeps. Returns 1, or 0 when the
-- attempt does not hold the job.
--
-- KEYS[1] job
-- KEYS[2] active
-- KEYS[3] logs
-- KEYS[4] events
-- KEYS[5] meta
--
-- ARGV[1] token
-- ARGV[2] id of the job
-- ARGV[3] line
-- ARGV[4] as much of it as an event carries

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
-- Writes an event of a job and trims the stream to `maxEvents`, unless that is nothing: then the run trims it elsewhere.
-- `group` is false or nothing for a job without one.
--
-- ...: further names and values
local function groupEvent(events, maxEvents, group, event, id, ...)
  local fields = {...}
  if group then
    fields[#fields + 1] = "group"
    fields[#fields + 1] = group
  end
  if maxEvents then
    rcall("XADD", events, "MAXLEN", "~", maxEvents, "*", "event", event, "jobId", id, unpack(fields))
  else
    rcall("XADD", events, "*", "event", event, "jobId", id, unpack(fields))
  end
end

-- The same of a job whose hash names its group, where it has one.
local function jobEvent(prefix, maxEvents, event, id, ...)
  local group = redis.pcall("HGET", prefix .. id, "jobgate:group")
  groupEvent(prefix .. "events", maxEvents, type(group) == "string" and group, event, id, ...)
end

local job, active, logs, events, meta = KEYS[1], KEYS[2], KEYS[3], KEYS[4], KEYS[5]
local token, id, line, brief = ARGV[1], ARGV[2], ARGV[3], ARGV[4]
if rcall("EXISTS", job) == 0 or not holds(job, id, active, token) then return 0 end
rcall("RPUSH", logs, line)
local decoded, options = pcall(cjson.decode, rcall("HGET", job, "opts") or "{}")
local keep = decoded and type(options) == "table" and tonumber(options["kl"])
keep = keep and keep >= 1 and math.min(math.floor(keep), 2 ^ 53) or 1000
rcall("LTRIM", logs, string.format("%.0f", -keep), -1)
local kept = rcall("HMGET", meta, "opts.maxLenEvents", "jobgate:groups")
groupEvent(events, kept[1] or "<events kept>", kept[2] and rcall("HGET", job, "jobgate:group"), "log", id, "line", brief)
return 1
