-- Stores the record of a queue's worker in place of any other. Returns 1, or 0 when it would be one too many.
--
-- KEYS[1] workers
--
-- ARGV[1] queue
-- ARGV[2] its record
-- ARGV[3] how many records there may be

local workers = KEYS[1]
local queue, record, most = ARGV[1], ARGV[2], tonumber(ARGV[3])
if rcall("HEXISTS", workers, queue) == 0 and rcall("HLEN", workers) >= most then return 0 end
rcall("HSET", workers, queue, record)
return 1
