-- Adds a line to the log of a job. Native producers may limit how many lines their job keeps. Returns 1, or 0 when the
-- attempt does not hold the job.
--
-- brief: as much of it as an event carries
--- @include "reading/decoded"
--- @include "attempts/holds"
--- @include "events/job-event"

if rcall("EXISTS", job) == 0 or not holds(job, id, active, token) then return 0 end
rcall("RPUSH", logs, line)
local keep = tonumber(decoded(rcall("HGET", job, "opts"))["kl"])
keep = keep and keep >= 1 and math.min(math.floor(keep), 2 ^ 53) or KEPT_LOG_LINES
rcall("LTRIM", logs, string.format("%.0f", -keep), -1)
local kept = rcall("HMGET", meta, "opts.maxLenEvents", GROUPED)
groupEvent(events, kept[1] or EVENTS_KEPT, kept[2] and rcall("HGET", job, GROUP), "log", id, "line", brief)
return 1
