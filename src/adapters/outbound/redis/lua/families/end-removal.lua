-- Ends the removal of a queue. One that jobs were added to meanwhile becomes one that was made by an add.
--- @include "adds/created-queue"
--- @include "reading/has-jobs"

-- What a queue has beside its jobs and its metadata.
local OTHERS = {"marker", "id", "pc", "events", "limiter", "stalled", "stalled-check", "repeat", "metrics:completed",
  "metrics:completed:data", "metrics:failed", "metrics:failed:data"}

rcall("DEL", meta)
if hasJobs(prefix) then
  createQueue(registry, meta)
  rcall("ZADD", prefix .. "marker", 0, "0")
  return
end
-- A number that a staged add has reserved must not be given again.
local isStaging = rcall("EXISTS", prefix .. STAGED_NUMBERS) == 1
for _, key in ipairs(OTHERS) do
  if key ~= "id" or not isStaging then rcall("UNLINK", prefix .. key) end
end
local queue = string.match(meta, "^[^:]*:(.*):meta$")
for _, register in ipairs({registry, acceptedQueues, expiringQueues}) do rcall("ZREM", register, queue) end
