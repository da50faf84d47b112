-- Notes the last job of a scheduler that a caller had it make. Returns nothing of use.
--
-- KEYS[1] schedulers of the queue
--
-- ARGV[1] job key prefix
-- ARGV[2] id of the scheduler
-- ARGV[3] when, and the id of the job, with a colon between them
local record = KEYS[1] .. ":" .. ARGV[2]
if rcall("HEXISTS", record, "ic") == 1 then rcall("HSET", record, RUN_BY_HAND, ARGV[3]) end
