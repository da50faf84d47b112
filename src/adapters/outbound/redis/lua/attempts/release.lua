-- Puts the job of an attempt back as if the attempt had never started, at the head of its place or after a delay.
-- Returns 1 when it is done, 0 when the attempt does not hold the job, "repeated" when the same report did it before,
-- and CAME_LATE.
--
-- isReported: when the holder of the token reports it: then the report is remembered
-- deadline: epoch ms of the store, empty for none
-- isUncounted: when no limiter counts its start either
-- cost: what limiters count for its start, if that was reported

--- @include "events/keep-events"
--- @include "attempts/holds"
--- @include "reading/in-time"
--- @include "attempts/counted"
--- @include "attempts/queue"
--- @include "attempts/report"
--- @include "attempts/wait-again"
--- @include "limits/attempt-leaves"
--- @include "bullmq/addDelayMarkerIfNeeded"
--- @include "bullmq/isQueuePausedOrMaxed"

local queue = queueOf(prefix, timestamp)
local memory, report = prefix .. REPORTS .. token, "released:" .. id

if deadline ~= "" and cameLate(deadline) then return CAME_LATE end
if rcall("EXISTS", job) == 0 or not holds(job, id, queue.active, token) or not rcall("LPOS", queue.active, id) then
  return isReported and rcall("GET", memory) == report and "repeated" or 0
end
rcall("DEL", job .. ":lock")
rcall("SREM", queue.stalled, id)
rcall("XTRIM", queue.events, "MAXLEN", "~", keepEvents(queue.meta))
local group = rcall("HGET", job, GROUP)
local takesBack = isUncounted and rcall("HEXISTS", job, DEFERRED_FAILURE) == 0
if takesBack or cost then countAnew(queue, id, group, cost, token) end
rcall("HDEL", job, ATTEMPT, PROCESSED_BY, PULLED_BY, COUNTED)
if group then groupPlaces().leaveGroup(prefix, group, id) end
giveBack(queue, id, delay, group)
if delay > 0 then
  addDelayMarkerIfNeeded(queue.marker, queue.delayed)
elseif not isQueuePausedOrMaxed(queue.meta, queue.active) then
  rcall("ZADD", queue.marker, 0, "0")
end
leaveLimitsOf(prefix, token)
if isReported then rememberReport(memory, prefix .. ACCEPTED, prefix .. ACCEPTANCES, report, id) end
return 1
