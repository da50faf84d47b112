-- Removes a job that a claim has put aside, and plans the one of a later slot in its place if it is the next one of its
-- scheduler. Returns 0 when it has started or was removed, SLOT_IS_TAKEN, or 1.
--
-- KEYS[1] schedulers of the queue
--
-- ARGV[1] job key prefix
-- ARGV[2] id of the scheduler
-- ARGV[3] slot of the job to come, empty for none
-- ARGV[4] time
-- ARGV[5] delay of that job, in ms
-- ARGV[6] its options as JSON
-- ARGV[7] id of the job that was put aside
--- @include "rules/planning"

local scheduler = schedulerNamed(ARGV[1], ARGV[2])
local slot, timestamp, delay, options, jobId = ARGV[3], ARGV[4], ARGV[5], ARGV[6], ARGV[7]
-- The first write takes no memory: a store without free memory refuses a script that begins with any other.
rcall("ZREM", scheduler.delayed, "")
local score = rcall("ZSCORE", scheduler.schedulers, scheduler.id)
local plans = slot ~= "" and score and jobIdOf(scheduler, score) == jobId
if plans and isTaken(scheduler, slot) then return SLOT_IS_TAKEN end
if not withdraw(scheduler, jobId, true) then return 0 end
if plans then plan(scheduler, slot, timestamp, delay, options) end
return 1
