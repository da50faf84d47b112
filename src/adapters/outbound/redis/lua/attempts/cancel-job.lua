-- In TypeScript: domain/transitions/job-control
-- Fails a job in whatever state it is, as after any failure; the holder of a running attempt loses the job. If the next
-- job of a scheduler is to be cancelled and the one after it is not planned, it changes nothing and returns a list of
-- the scheduler and the job: otherwise the scheduler would end with it. Else it returns 0, or what the guard returns.
--
-- kept: which jobs the worker keeps, as JSON
-- isNextPlanned: when the next job of its scheduler is planned
-- hooks: the hooks that each end of a job has to tell, as JSON; empty for none
--- @include "bullmq/isJobSchedulerJob"
--- @include "events/job-event"
--- @include "events/keep-events"
--- @include "attempts/failure"
--- @include "attempts/finish"
--- @include "attempts/freed-place"
--- @include "groups/freed-group"
--- @include "attempts/queue"
--- @include "attempts/slot"
--- @include "attempts/state-guard"
--- @include "attempts/take-out"
--- @include "attempts/taken-attempt"
--- @include "attempts/waits"

local ofWorker = cjson.decode(kept)
local state, nearEnd, refusal = guarded(prefix, id, allowed, reach)
if not state then return refusal end
if isJobSchedulerJob(id, job, prefix .. "repeat") then
  local scheduler = rcall("HGET", job, "rjk")
  if not isNextPlanned then return {scheduler, rcall("HGETALL", job)} end
  rcall("HSET", prefix .. "repeat:" .. scheduler, ENDED_WITH, id)
end

local queue = queueOf(prefix, now)
queue.isGrouped, queue.hooks = isGroupedQueue(prefix), hooks
local record = rcall("HMGET", job, "parentKey", "parent", "deid", "opts", "atm", "stacktrace", SUSPENSION)
local fields = {"delay", 0}
if state == "active" then
  takeAttempt(prefix, id, now, OUTCOME_CANCELLED, reason)
  rcall("LREM", queue.active, -1, id)
  fields = {"atm", oneMore(record[5]), "stacktrace", withReason(record[6], reason)}
else
  takeOut(prefix, id, nearEnd)
  local group = state ~= "waiting" and rcall("HGET", job, GROUP)
  if group then
    freeOrder(prefix, group, id)
    groupPlaces().leaveGroup(prefix, group, id)
  end
end
if record[7] then
  forgetWaits(prefix, id, record[7])
  rcall("HDEL", job, SUSPENSION)
end
jobEvent(prefix, nil, "cancelled", id, "reason", eventText(reason))
-- Before the other events of this run, so that it trims none of these.
rcall("XTRIM", queue.events, "MAXLEN", "~", keepEvents(queue.meta))
local made = state == "active" and oneMore(record[5]) or record[5]
if finish(queue, id, "failed", reason, record, ofWorker, state, made, nil, "job.cancelled") then
  rcall("HDEL", job, DEFERRED_FAILURE)
  rcall("HSET", job, "failedReason", reason, "finishedOn", now, unpack(fields))
end
keepEnded(queue)
if isOfScheduler(id) then slots().noteEnd(prefix, id, now) end
freePlaceOf(queue)
return 0
