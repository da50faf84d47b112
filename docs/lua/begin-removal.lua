-- Begins to remove a queue: from then on no job of it starts. Returns "begun", or what keeps it: "missing" or "active".
--
-- KEYS[1] meta
-- KEYS[2] marker
-- KEYS[3] active
--
-- ARGV[1] job key prefix
-- ARGV[2] 1 to begin also while jobs are active

local rcall = redis.call
-- Whether a queue has any job, in any state.
local function hasJobs(prefix)
  return rcall("EXISTS", prefix .. "active", prefix .. "wait", prefix .. "paused", prefix .. "prioritized",
    prefix .. "delayed", prefix .. "jobgate:group-waiting", prefix .. "completed", prefix .. "failed", prefix .. "waiting-children") > 0
end

local meta, marker, active = KEYS[1], KEYS[2], KEYS[3]
local prefix, isForced = ARGV[1], ARGV[2] == "1"
if rcall("EXISTS", meta) == 0 and not hasJobs(prefix) then return "missing" end
if not isForced and rcall("LLEN", active) > 0 then return "active" end
-- The write that takes no memory goes first, or a store whose memory is used up refuses both.
rcall("DEL", marker)
rcall("HSET", meta, "paused", 1)
return "begun"
