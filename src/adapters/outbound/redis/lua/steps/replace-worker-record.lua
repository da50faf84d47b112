-- Replaces the record of a queue's worker. Returns 1, 0 when it has changed since it was read, or -1
-- when it would be one too many.
--
-- KEYS[1] workers
--
-- ARGV[1] queue
-- ARGV[2] its record as it was read, empty for none
-- ARGV[3] the new record
-- ARGV[4] how many records there may be

local workers = KEYS[1]
local queue, before, record, most = ARGV[1], ARGV[2], ARGV[3], tonumber(ARGV[4])
if (rcall("HGET", workers, queue) or "") ~= before then return 0 end
if before == "" and rcall("HLEN", workers) >= most then return -1 end
rcall("HSET", workers, queue, record)
return 1
