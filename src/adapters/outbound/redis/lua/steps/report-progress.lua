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
--- @include "rules/event-text"
--- @include "rules/holds"
--- @include "rules/job-event"

local job, active, events, meta = KEYS[1], KEYS[2], KEYS[3], KEYS[4]
local token, id, progress = ARGV[1], ARGV[2], ARGV[3]
if rcall("EXISTS", job) == 0 or not holds(job, id, active, token) then return 0 end
local kept = rcall("HMGET", meta, "opts.maxLenEvents", GROUPED)
rcall("HSET", job, "progress", progress)
groupEvent(events, kept[1] or EVENTS_KEPT, kept[2] and rcall("HGET", job, GROUP), "progress", id, "data",
  eventValue(progress))
return 1
