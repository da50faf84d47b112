-- Has a delayed job wait, without a further delay. Returns 0, or what the guard returns.
--
-- KEYS[1] job
--
-- ARGV[1] job key prefix
-- ARGV[2] id of the job
-- ARGV[3] allowed states
-- ARGV[4] how far to look for a waiting job
--- @include "rules/job-event"
--- @include "rules/state-guard"
--- @include "rules/waiting"

local job = KEYS[1]
local prefix, id, allowed, reach = ARGV[1], ARGV[2], ARGV[3], ARGV[4]
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
return 0
