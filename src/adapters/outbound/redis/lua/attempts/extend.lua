-- In TypeScript: domain/transitions/holding
-- Holds a job for a time without a renewal. Returns 1, 0 when the attempt does not hold the job, or CAME_LATE.

--- @include "attempts/accepted"
--- @include "reading/in-time"

if cameLate(deadline) then return CAME_LATE end
if not holds(job, id, active, token) then return 0 end
-- The write that takes no memory goes first, or a store whose memory is used up refuses all of them.
rcall("SREM", stalled, id)
local of, since = string.match(rcall("HGET", acceptances, id) or "", "^([^:]+):(%d+):")
if of == token then
  local ends = string.format("%.0f", now + duration)
  rcall("ZADD", accepted, ends, id)
  rcall("HSET", acceptances, id, token .. ":" .. since .. ":" .. ends)
  registerAccepted(acceptedQueues, accepted, queue)
  duration = duration + LONGER
end
rcall("SET", job .. ":lock", token, "PX", string.format("%.0f", duration))
return 1
