--- @include "bullmq/getDelayedScore"
--- @include "events/job-event"

-- Has a job wait for some ms, behind those that are due in the same millisecond.
--
-- maxEvents: as events/job-event has it
local function waitUntilDue(prefix, maxEvents, group, id, timestamp, delay)
  local score, dueAt = getDelayedScore(prefix .. "delayed", timestamp, delay)
  rcall("ZADD", prefix .. "delayed", score, id)
  groupEvent(prefix .. "events", maxEvents, group, "delayed", id, "delay", dueAt)
end
