-- Ends the removal of a queue. One that jobs were added to meanwhile becomes one that was made by an add.
--
-- KEYS[1] meta
-- KEYS[2] registry of queues
-- KEYS[3] register of queues with accepted jobs
-- KEYS[4] register of queues with expiring jobs
--
-- ARGV[1] job key prefix
--- @include "rules/create-queue"
--- @include "rules/has-jobs"

-- What a queue has beside its jobs and its metadata.
local REST = {"marker", "id", "pc", "events", "limiter", "stalled", "stalled-check", "repeat", "metrics:completed",
  "metrics:completed:data", "metrics:failed", "metrics:failed:data"}

local meta, registry, accepted, expiring = KEYS[1], KEYS[2], KEYS[3], KEYS[4]
local prefix = ARGV[1]
rcall("DEL", meta)
if hasJobs(prefix) then
  createQueue(registry, meta)
  rcall("ZADD", prefix .. "marker", 0, "0")
  return
end
-- A number that a staged add has reserved must not be given again.
local isStaging = rcall("EXISTS", prefix .. STAGED_NUMBERS) == 1
for _, key in ipairs(REST) do
  if key ~= "id" or not isStaging then rcall("UNLINK", prefix .. key) end
end
local queue = string.match(meta, "^[^:]*:(.*):meta$")
for _, register in ipairs({registry, accepted, expiring}) do rcall("ZREM", register, queue) end
