-- Saves what one source counted of a queue in a minute and in the hour of it, and why jobs failed in the minute, unless
-- the queue is gone.
--
-- KEYS[1] minutes
-- KEYS[2] hours
-- KEYS[3] failures by minute
-- KEYS[4] meta
-- KEYS[5] counted queues
-- KEYS[6] failing queues
-- KEYS[7] latest calls by source
--
-- ARGV[1] field of the minute and the source
-- ARGV[2] figures of the minute
-- ARGV[3] for how long minutes are kept, in ms
-- ARGV[4] field of the hour and the source
-- ARGV[5] figures of the hour
-- ARGV[6] for how long hours are kept, in ms
-- ARGV[7] failures of the minute as JSON, or an empty text
-- ARGV[8] when the minute began, epoch ms
-- ARGV[9] queue
-- ARGV[10] source
-- ARGV[11] its latest calls as JSON, or an empty text

local minutes, hours, failures, meta, counted, failing = KEYS[1], KEYS[2], KEYS[3], KEYS[4], KEYS[5], KEYS[6]
local minute, queue = ARGV[8], ARGV[9]
if rcall("EXISTS", meta) == 0 then return end
rcall("HSET", minutes, ARGV[1], ARGV[2])
rcall("PEXPIRE", minutes, ARGV[3])
rcall("HSET", hours, ARGV[4], ARGV[5])
rcall("PEXPIRE", hours, ARGV[6])
rcall("ZADD", counted, minute, queue)
if ARGV[11] ~= "" then
  rcall("HSET", KEYS[7], ARGV[10], ARGV[11])
  rcall("PEXPIRE", KEYS[7], ARGV[3])
end
if ARGV[7] ~= "" then
  rcall("HSET", failures, ARGV[1], ARGV[7])
  rcall("PEXPIRE", failures, ARGV[3])
  rcall("ZADD", failing, minute, queue)
end
