-- Plans the job after one that starts, if that is the next one of its scheduler. Returns 0 when it is not,
-- SLOT_IS_TAKEN, or 1.
--
-- slot: slot of the job to come, empty for none
-- options: its options as JSON
-- startingId: id of the job that starts
--- @include "adds/planning"

local scheduler = schedulerNamed(prefix, id)
-- The first write takes no memory: a store without free memory refuses a script that begins with any other.
rcall("ZREM", scheduler.delayed, "")
local score = rcall("ZSCORE", scheduler.schedulers, scheduler.id)
local isNext = score and jobIdOf(scheduler, score) == startingId
if not isNext or rcall("HEXISTS", scheduler.record, "ic") == 0 then return 0 end
if isTaken(scheduler, slot) then return SLOT_IS_TAKEN end
rcall("HINCRBY", scheduler.record, "ic", 1)
plan(scheduler, slot, timestamp, delay, options)
return 1
