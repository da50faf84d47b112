-- Stores the progress of an attempt. Returns 1, or 0 when the attempt does not hold the job.
--- @include "events/event-text"
--- @include "attempts/holds"
--- @include "events/job-event"

if rcall("EXISTS", job) == 0 or not holds(job, id, active, token) then return 0 end
local kept = rcall("HMGET", meta, "opts.maxLenEvents", GROUPED)
rcall("HSET", job, "progress", progress)
groupEvent(events, kept[1] or EVENTS_KEPT, kept[2] and rcall("HGET", job, GROUP), "progress", id, "data",
  eventValue(progress))
return 1
