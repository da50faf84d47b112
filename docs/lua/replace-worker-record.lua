-- Replaces the record of a queue's worker. Returns 1, or 0 when it has changed since it was read.
--
-- KEYS[1] workers
--
-- ARGV[1] queue
-- ARGV[2] its record as it was read, empty for none
-- ARGV[3] the new record

local rcall = redis.call

local workers = KEYS[1]
local queue, before, record = ARGV[1], ARGV[2], ARGV[3]
if (rcall("HGET", workers, queue) or "") ~= before then return 0 end
rcall("HSET", workers, queue, record)
return 1
