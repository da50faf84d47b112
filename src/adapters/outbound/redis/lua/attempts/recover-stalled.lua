-- In TypeScript: domain/transitions/stalled
-- Puts active jobs without a lock back that were suspected before, and suspects those that have none now. A job that
-- stalled too often fails at its next start. Returns their ids, and in how many ms to check again: at once where more
-- stalled than a run puts back, -1 when no others are suspected.
--
-- A check counts only when the one before is some time ago. BullMQ suspects every active job: a store that recovers
-- after all locks expired would then put their jobs back at the first check, before any replica could renew them.
--
-- mostStalls: how often a job may stall
-- apart: how far checks that count are apart, in ms

--- @include "bullmq/addBaseMarkerIfNeeded"
--- @include "bullmq/isQueuePausedOrMaxed"
--- @include "groups/group-places"
--- @include "events/job-event"
--- @include "events/keep-events"
--- @include "attempts/record"
--- @include "attempts/suspects"
--- @include "limits/attempt-leaves"

-- Most jobs that a run puts back.
local MOST_RECOVERED = 1000

local isLimited = rcall("EXISTS", prefix .. LIMITED) == 1

local function stallsOnceMore(job)
  local count = redis.pcall("HINCRBY", job, "stc", 1)
  if type(count) ~= "table" then return count end
  rcall("HSET", job, "stc", 1)
  return 1
end

-- BullMQ has a stalled job wait at the head of the list, whatever its priority. One of a group waits where it was
-- taken.
local function recover(id)
  local job = prefix .. id
  -- A job that must fail may stall although no attempt was made.
  if rcall("HEXISTS", job, DEFERRED_FAILURE) == 0 then
    recordAttempt(job, timestamp, takenAttempt(prefix, id, OUTCOME_STALLED))
  end
  if stallsOnceMore(job) > mostStalls then
    rcall("HSET", job, DEFERRED_FAILURE, STALLED_REASON)
  end
  if isLimited then leaveLimitsOf(prefix, string.match(rcall("HGET", job, ATTEMPT) or "", ":(.*)$")) end
  local group = rcall("HGET", job, GROUP)
  if group then
    groupPlaces().leaveGroup(prefix, group, id)
    groupPlaces().waitAgainInGroup(prefix, group, id)
  else
    groupPlaces().ungroupedWaits(prefix, true)
    rcall("RPUSH", wait, id)
  end
  addBaseMarkerIfNeeded(marker, isQueuePausedOrMaxed(meta, active))
  groupEvent(events, nil, group, "waiting", id, "prev", "active")
  groupEvent(events, nil, group, "stalled", id)
end

-- A store without free memory refuses a script that begins with a write that takes some.
rcall("SREM", stalled, "")
if rcall("LLEN", active) == 0 then rcall("SREM", pulled, string.match(prefix, "^[^:]*:(.*):$")) end
-- What native clients ended or removed is found here.
if isGroupedQueue(prefix) then
  for _, group in ipairs(rcall("ZRANGEBYSCORE", prefix .. GROUP_PARKED, "+inf", "+inf", "LIMIT", 0, 1000)) do
    groupPlaces().unpark(prefix, group)
  end
end
wakeForMissedJobs(prefix)
if rcall("EXISTS", stalledCheck) == 1 then return {{}, -1} end
rcall("SET", stalledCheck, timestamp, "PX", apart)
-- Looking for stalled jobs creates no queue.
if rcall("EXISTS", events) == 1 then rcall("XTRIM", events, "MAXLEN", "~", keepEvents(meta)) end

local recovered = {}
local suspected = {}
for _, id in ipairs(rcall("SMEMBERS", stalled)) do suspected[id] = true end
-- The latest started comes first, so the one that started before all others ends up at the head.
for _, id in ipairs(next(suspected) and rcall("LRANGE", active, 0, -1) or {}) do
  local isMarker = string.sub(id, 1, 2) == "0:"
  if suspected[id] and (isMarker or rcall("EXISTS", prefix .. id .. ":lock") == 0) then
    if rcall("LREM", active, 1, id) > 0 and not isMarker then
      recover(id)
      recovered[#recovered + 1] = id
    end
  end
  if #recovered == MOST_RECOVERED then
    rcall("SREM", stalled, unpack(recovered))
    rcall("DEL", stalledCheck)
    return {recovered, 0}
  end
end
rcall("DEL", stalled)
return {recovered, suspectWithoutLock(stalled, active, prefix) and tonumber(apart) or -1}
