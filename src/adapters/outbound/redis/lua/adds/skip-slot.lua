-- Removes a job that a claim has put aside, and plans the one of a later slot in its place if it is the next one of its
-- scheduler. Returns 0 when it has started or was removed, SLOT_IS_TAKEN, or 1.
--
-- slot: slot of the job to come, empty for none
-- options: its options as JSON
-- jobId: id of the job that was put aside
--- @include "adds/planning"

local scheduler = schedulerNamed(prefix, id)
-- The first write takes no memory: a store without free memory refuses a script that begins with any other.
rcall("ZREM", scheduler.delayed, "")
local score = rcall("ZSCORE", scheduler.schedulers, scheduler.id)
local plans = slot ~= "" and score and jobIdOf(scheduler, score) == jobId
if plans and isTaken(scheduler, slot) then return SLOT_IS_TAKEN end
if not withdraw(scheduler, jobId, true) then return 0 end
if plans then plan(scheduler, slot, timestamp, delay, options) end
return 1
