-- Resumes a paused scheduler. Returns 0 when it is not paused as the arguments say, SLOT_IS_TAKEN, or 1.
--
-- KEYS[1] schedulers of the queue
--
-- ARGV[1] job key prefix
-- ARGV[2] id of the scheduler
-- ARGV[3] slot of the job to come, empty for none
-- ARGV[4] time
-- ARGV[5] delay of that job, in ms
-- ARGV[6] its options as JSON
-- ARGV[7] what the field of its pause says
--- @include "rules/planning"

local scheduler = schedulerNamed(ARGV[1], ARGV[2])
local slot, timestamp, delay, options, pause = ARGV[3], ARGV[4], ARGV[5], ARGV[6], ARGV[7]
if rcall("HGET", scheduler.record, PAUSED) ~= pause then return 0 end
if slot ~= "" and isTaken(scheduler, slot) then return SLOT_IS_TAKEN end
rcall("HDEL", scheduler.record, PAUSED)
if slot == "" then return 1 end
rcall("HINCRBY", scheduler.record, "ic", 1)
plan(scheduler, slot, timestamp, delay, options)
return 1
