-- In TypeScript: domain/transitions/job-control
-- Has a delayed job wait, without a further delay. What it awaits is over, sleeps and waits for signals as at their
-- timeouts. Returns 0, or what the guard returns.
--- @include "events/job-event"
--- @include "attempts/state-guard"
--- @include "attempts/ended-now"
--- @include "attempts/waits"
--- @include "adds/waiting"

local state, _, refusal = guarded(prefix, id, allowed, reach)
if not state then return refusal end
rcall("ZREM", prefix .. "delayed", id)
local group = rcall("HGET", job, GROUP)
local isHolding = group and rcall("HGET", prefix .. GROUP_BLOCKS, "h" .. group) == id
if isHolding then rcall("HDEL", prefix .. GROUP_BLOCKS, "h" .. group) end
if group then groupPlaces().freePlace(prefix, group) end
addWaiting(prefix, id, tonumber(rcall("HGET", job, "priority")) or 0, isHolding and "RPUSH" or "LPUSH")
groupEvent(prefix .. "events", nil, group, "waiting", id, "prev", "delayed")
rcall("HSET", job, "delay", 0)
local suspension = rcall("HGET", job, SUSPENSION)
if suspension then
  forgetWaits(prefix, id, suspension)
  rcall("HSET", job, SUSPENSION, endedNow(suspension, tonumber(now)))
end
return 0
