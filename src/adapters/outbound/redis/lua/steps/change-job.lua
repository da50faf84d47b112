-- Changes a job. No state allows to change both priority and delay. Returns 0, or what the guard returns.
--
-- KEYS[1] job
--
-- ARGV[1] job key prefix
-- ARGV[2] id of the job
-- ARGV[3] allowed states
-- ARGV[4] how far to look for a waiting job
-- ARGV[5] now
-- ARGV[6] data as JSON, empty to keep it
-- ARGV[7] priority, empty to keep it
-- ARGV[8] delay in ms from now, empty to keep it
--- @include "bullmq/addDelayMarkerIfNeeded"
--- @include "bullmq/getDelayedScore"
--- @include "rules/create-queue"
--- @include "rules/job-event"
--- @include "rules/state-guard"
--- @include "rules/waiting"

local job = KEYS[1]
local prefix, id, allowed, reach, now = ARGV[1], ARGV[2], ARGV[3], ARGV[4], ARGV[5]
local data, priority, delay = ARGV[6], tonumber(ARGV[7]), tonumber(ARGV[8])
local state, nearEnd, refusal = guarded(prefix, id, allowed, reach)
if not state then return refusal end
if priority then
  if groupPlaces().takeOutOfGroup(prefix, id) > 0 or rcall("ZREM", prefix .. "prioritized", id) > 0
    or rcall("LREM", prefix .. "wait", nearEnd, id) > 0 then
    addWaiting(prefix, id, priority, "LPUSH")
  end
  rcall("HSET", job, "priority", priority)
end
if delay then
  local delayed = prefix .. "delayed"
  local score, dueAt = getDelayedScore(delayed, now, delay)
  rcall("ZREM", delayed, id)
  rcall("HSET", job, "delay", delay)
  rcall("ZADD", delayed, score, id)
  jobEvent(prefix, keepEvents(prefix .. "meta"), "delayed", id, "delay", dueAt)
  addDelayMarkerIfNeeded(prefix .. "marker", delayed)
end
if data ~= "" then rcall("HSET", job, "data", data) end
return 0
