-- Leaves a job to its endpoint for a time. Returns 1, or 0 when the attempt does not hold the job.

--- @include "attempts/accepted"

if not holds(job, id, active, token) then return 0 end
-- The write that takes no memory goes first, or a store whose memory is used up refuses all of them.
rcall("SREM", stalled, id)
local ends = string.format("%.0f", now + duration)
rcall("ZADD", accepted, ends, id)
rcall("HSET", acceptances, id, token .. ":" .. now .. ":" .. ends)
rcall("SET", job .. ":lock", token, "PX", string.format("%.0f", duration + LONGER))
registerAccepted(acceptedQueues, accepted, queue)
return 1
