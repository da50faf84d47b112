-- Leaves a job to its endpoint for a time. Returns 1, or 0 when the attempt does not hold the job.
--
-- KEYS[1] job
-- KEYS[2] active
-- KEYS[3] stalled
-- KEYS[4] accepted
-- KEYS[5] acceptances
-- KEYS[6] register of queues with accepted jobs
--
-- ARGV[1] token
-- ARGV[2] id of the job
-- ARGV[3] duration in ms
-- ARGV[4] now, epoch ms
-- ARGV[5] name of the queue

--- @include "rules/accepted"

local job, active, stalled, accepted, acceptances, register = KEYS[1], KEYS[2], KEYS[3], KEYS[4], KEYS[5], KEYS[6]
local token, id, duration, now, queue = ARGV[1], ARGV[2], ARGV[3], ARGV[4], ARGV[5]
if not holds(job, id, active, token) then return 0 end
-- The write that takes no memory goes first, or a store whose memory is used up refuses all of them.
rcall("SREM", stalled, id)
local ends = string.format("%.0f", now + duration)
rcall("ZADD", accepted, ends, id)
rcall("HSET", acceptances, id, token .. ":" .. now .. ":" .. ends)
rcall("SET", job .. ":lock", token, "PX", string.format("%.0f", duration + LONGER))
registerAccepted(register, accepted, queue)
return 1
