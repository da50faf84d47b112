--- @include "bullmq/addDelayMarkerIfNeeded"
--- @include "bullmq/getDelayedScore"

-- Puts a suspended job among the delayed ones until a time (epoch ms), or without a delay for as long as it takes.
local function restUntil(queue, id, till, time)
  local delay = math.max(till or NEVER, time) - time
  rcall("HSET", queue.prefix .. id, "delay", till and delay or 0)
  rcall("ZADD", queue.delayed, getDelayedScore(queue.delayed, time, delay), id)
  addDelayMarkerIfNeeded(queue.marker, queue.delayed)
end
