--- @include "bullmq/getRateLimitTTL"
--- @include "limits/limit-window"

-- BullMQ's limiter counts in fixed windows, the first of which begins with a call: two of them side by side hold nearly
-- twice as many calls within one `duration`. So the times of the last starts are kept as well, by the store's clock,
-- which counts for all replicas. A job that is released without a call counts too. The counter of BullMQ stays, for
-- its workers on the same queue: it counts what the starts of this service do, and 1 for each of theirs.

-- A window of BullMQ's that began under a longer duration would hold longer than any does now. Its value is the
-- largest integer when somebody stopped the queue for a time: that is left alone.
local function withinDuration(ttl, queue, limiter)
  if not limiter or ttl <= limiter.duration then return ttl end
  if tonumber(rcall("GET", queue.limiter)) >= LARGEST_NUMBER then return ttl end
  rcall("DEL", queue.limiter)
  return 0
end

-- For how long (ms) the limiter lets no job of this cost start. most: how much the window of BullMQ may have, limiter:
-- that of the worker, if it has one.
local function limitedFor(queue, most, limiter, cost, isPlain)
  local counter = getRateLimitTTL(most - math.min(cost, most) + 1, queue.limiter)
  local ttl = withinDuration(counter, queue, limiter)
  local rest = limiter and untilStartIn(queue.prefix .. STARTS, limiter, storeTime(), cost, isPlain) or 0
  return math.max(ttl, math.ceil(rest))
end

-- Counts the start of a job. One that must fail makes no call, and does not count.
local function countStart(queue, job, duration, limiter, now, cost, isPlain)
  if rcall("HEXISTS", job, DEFERRED_FAILURE) == 1 then return end
  if limiter then noteStartIn(queue.prefix .. STARTS, windowOf(limiter), now, cost, isPlain) end
  if cost > 0 and rcall("INCRBY", queue.limiter, cost) == cost then
    rcall("PEXPIRE", queue.limiter, math.floor(math.abs(duration)))
  end
end
