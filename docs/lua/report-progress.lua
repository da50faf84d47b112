-- Stores the progress of an attempt. Returns 1, or 0 when the attempt does not hold the job.
--
-- KEYS[1] job
-- KEYS[2] active
-- KEYS[3] events
-- KEYS[4] meta
--
-- ARGV[1] token
-- ARGV[2] id of the job
-- ARGV[3] progress as JSON

local rcall = redis.call
-- A text for an event: one that is too long is cut between two characters.
local function eventText(text)
  if #text <= 1024 then return text end
  return (string.gsub(string.sub(text, 1, 1024), "[\192-\255][\128-\191]*$", ""))
end

-- A JSON value for an event. One that is too long cannot be cut, and clients of BullMQ stop at an event without one.
local function eventValue(json)
  return #json > 1024 and " null" or json
end
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

local job, active, events, meta = KEYS[1], KEYS[2], KEYS[3], KEYS[4]
local token, id, progress = ARGV[1], ARGV[2], ARGV[3]
if rcall("EXISTS", job) == 0 or not holds(job, id, active, token) then return 0 end
local kept = rcall("HMGET", meta, "opts.maxLenEvents", "jobgate:groups")
rcall("HSET", job, "progress", progress)
groupEvent(events, kept[1] or "<events kept>", kept[2] and rcall("HGET", job, "jobgate:group"), "progress", id, "data",
  eventValue(progress))
return 1
