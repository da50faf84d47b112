-- Changes what holds for a group, has it take turns again where it may, and wakes one waiter for jobs. Returns until
-- when the group is held; otherwise whether there was something to remove, as 1 or 0.
--
-- KEYS[1] marker
--
-- ARGV[1] job key prefix
-- ARGV[2] the group
-- ARGV[3] what to do: "settings", "remove", "pause", "resume", "hold" or "end-hold"
-- ARGV[4] the settings as JSON, or for how many ms to hold
--- @include "rules/group-orders"

local prefix, group, what, value = ARGV[1], ARGV[2], ARGV[3], ARGV[4]
local settings, states, answer = prefix .. GROUP_SETTINGS, prefix .. GROUP_STATES, 1
if what == "settings" then rcall("HSET", settings, group, value)
elseif what == "remove" then answer = rcall("HDEL", settings, group)
elseif what == "pause" then rcall("HSET", states, "p" .. group, 1)
elseif what == "resume" then rcall("HDEL", states, "p" .. group)
elseif what == "hold" then answer = string.format("%.0f", holdGroup(prefix, group, tonumber(value)))
else rcall("ZREM", prefix .. GROUP_HELD, group) end
groupPlaces().unstageGroup(prefix, group)
groupPlaces().unpark(prefix, group)
rcall("ZADD", KEYS[1], 0, "0")
return answer
