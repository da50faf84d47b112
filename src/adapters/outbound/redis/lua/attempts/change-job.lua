-- In TypeScript: domain/transitions/job-control
-- Changes a job. No state allows to change both priority and delay. A new cost comes with options made of those that the
-- job is expected to have: when it has others nothing is done, and they are returned in a list. Returns 0, or what the
-- guard returns.
--
-- data: as JSON, empty to keep it
-- priority: empty to keep it
-- delay: in ms from now, empty to keep it
-- cost: empty to keep it
-- expected: options that are expected
-- changed: options in their place, empty to keep them
--- @include "bullmq/addDelayMarkerIfNeeded"
--- @include "bullmq/getDelayedScore"
--- @include "adds/created-queue"
--- @include "adds/new-job"
--- @include "events/job-event"
--- @include "attempts/state-guard"
--- @include "adds/waiting"

local state, nearEnd, refusal = guarded(prefix, id, allowed, reach)
if not state then return refusal end
if cost then
  local opts = rcall("HGET", job, "opts") or ""
  if opts ~= expected then return {opts} end
  rcall("HSET", job, "opts", changed)
  noteCost(prefix, job, cost)
  local group = rcall("HGET", job, GROUP)
  if group then groupPlaces().unpark(prefix, group) end
end
if priority then
  if groupPlaces().takeOutOfGroup(prefix, id) > 0 or rcall("ZREM", prefix .. "prioritized", id) > 0
    or rcall("LREM", prefix .. "wait", nearEnd, id) > 0 then
    addWaiting(prefix, id, priority, "LPUSH")
  end
  rcall("HSET", job, "priority", priority)
end
if delay then
  local score, dueAt = getDelayedScore(delayed, now, delay)
  rcall("ZREM", delayed, id)
  rcall("HSET", job, "delay", delay)
  rcall("ZADD", delayed, score, id)
  jobEvent(prefix, keepEvents(meta), "delayed", id, "delay", dueAt)
  addDelayMarkerIfNeeded(marker, delayed)
end
if data ~= "" then rcall("HSET", job, "data", data) end
return 0
