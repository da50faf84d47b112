-- Frees the place of an ended call with a cancelled job, if it still has one, and wakes one waiter for jobs.

--- @include "groups/group-places"
--- @include "attempts/gate"
--- @include "limits/attempt-leaves"

if rcall("ZREM", prefix .. GATE_ENDING, token) == 1 then
  local group = rcall("HGET", prefix .. GROUP_RUNNING, "!" .. token)
  if group then groupPlaces().leaveGroup(prefix, group, "!" .. token) end
  leaveGate(prefix)
  leaveLimitsOf(prefix, token)
  rcall("ZADD", marker, 0, "0")
end
