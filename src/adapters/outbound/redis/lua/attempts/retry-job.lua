-- In TypeScript: domain/transitions/job-control
-- Has a job that ended start over, with its attempts counted anew: it waits, or waits for those of its children that
-- have not ended. New options are made of those that the job is expected to have, as Lua would not write them as they
-- were: when it has others nothing is done, and they are returned in a list. Else it returns 1, what the guard returns,
-- or IS_REDACTED.
--
-- data: as JSON, empty to keep it
-- expected: options that are expected
-- changed: options in their place, empty to keep them
-- priority: empty to keep it
-- forgetsSteps: without its saved steps
--- @include "bullmq/moveChildBackToParentDependencies"
--- @include "families/awaited-children"
--- @include "adds/created-queue"
--- @include "reading/decoded"
--- @include "events/job-event"
--- @include "attempts/state-guard"
--- @include "reading/store-time"
--- @include "adds/waiting"

local state, _, refusal = guarded(prefix, id, allowed, reach)
if not state then return refusal end
if rcall("HEXISTS", job, REDACTED) == 1 then return IS_REDACTED end
local opts = rcall("HGET", job, "opts") or ""
if changed ~= "" and opts ~= expected then return {opts} end

-- The writes that take no memory go first, or a store whose memory is used up refuses all of them.
rcall("ZREM", prefix .. state, id)
rcall("HDEL", job, "finishedOn", "processedOn", "atm", state == "completed" and "returnvalue" or "failedReason",
  EXPIRES, DEFERRALS, DEFERRED_FAILURE, HALF, SUSPENSIONS, SUSPENSION, COUNTED)
if forgetsSteps then
  rcall("DEL", job .. STEP_VALUES)
  rcall("HDEL", job, STEPS)
end
if changed ~= "" then
  rcall("HSET", job, "opts", changed)
  opts = changed
end
if priority ~= "" then rcall("HSET", job, "priority", priority) end
if data ~= "" then rcall("HSET", job, "data", data) end

local event = "waiting"
if awaitsChildren(job) then
  event = "waiting-children"
  rcall("ZADD", prefix .. "waiting-children", math.floor(storeTime()), id)
else
  local isLifo = decoded(opts).lifo == true
  local group = rcall("HGET", job, GROUP)
  local isBlocking = group and rcall("HGET", prefix .. GROUP_BLOCKS, "f" .. group) == id
  if isBlocking then rcall("HDEL", prefix .. GROUP_BLOCKS, "f" .. group) end
  if group then groupPlaces().freePlace(prefix, group) end
  local newPriority = tonumber(rcall("HGET", job, "priority")) or 0
  addWaiting(prefix, id, newPriority, (isLifo and newPriority == 0 or isBlocking) and "RPUSH" or "LPUSH")
end
moveChildBackToParentDependencies(job, state)
local root = string.match(prefix, "^[^:]+:")
if prefix == root .. CALLBACK_QUEUE .. ":" then
  rcall("HINCRBY", root .. CALLS_UNSENT, string.match(id, "^[^:]+"), 1)
end
jobEvent(prefix, keepEvents(prefix .. "meta"), event, id, "prev", state)
return 1
