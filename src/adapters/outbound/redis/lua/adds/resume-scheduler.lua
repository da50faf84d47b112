-- Resumes a paused scheduler. Returns 0 when it is not paused as the arguments say, SLOT_IS_TAKEN, or 1.
--
-- slot: slot of the job to come, empty for none
-- options: its options as JSON
-- pause: what the field of its pause says
--- @include "adds/planning"

local scheduler = schedulerNamed(prefix, id)
if rcall("HGET", scheduler.record, PAUSED) ~= pause then return 0 end
if slot ~= "" and isTaken(scheduler, slot) then return SLOT_IS_TAKEN end
rcall("HDEL", scheduler.record, PAUSED, STOP)
if slot == "" then return 1 end
rcall("HINCRBY", scheduler.record, "ic", 1)
plan(scheduler, slot, timestamp, delay, options)
return 1
