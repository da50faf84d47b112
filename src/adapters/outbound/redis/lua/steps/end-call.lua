-- Frees the place of an ended call with a cancelled job, if it still has one, and wakes one waiter for jobs.
--
-- KEYS[1] meta
-- KEYS[2] marker
--
-- ARGV[1] the prefix of the queue's keys
-- ARGV[2] token

--- @include "rules/group-places"
--- @include "rules/gate"

local marker, prefix, token = KEYS[2], ARGV[1], ARGV[2]
if rcall("ZREM", prefix .. GATE_ENDING, token) == 1 then
  local group = rcall("HGET", prefix .. GROUP_RUNNING, "!" .. token)
  if group then groupPlaces().leaveGroup(prefix, group, "!" .. token) end
  leaveGate(prefix)
  rcall("ZADD", marker, 0, "0")
end
