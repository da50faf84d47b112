-- Removes a scheduler and, if that is delayed, its next job. Returns 1, or 0 when there was none.
--
-- KEYS[1] schedulers of the queue
--
-- ARGV[1] job key prefix
-- ARGV[2] id of the scheduler
--- @include "rules/planning"

local scheduler = schedulerNamed(ARGV[1], ARGV[2])
local score = rcall("ZSCORE", scheduler.schedulers, scheduler.id)
if not score then return 0 end
withdraw(scheduler, jobIdOf(scheduler, score), true)
rcall("ZREM", scheduler.schedulers, scheduler.id)
rcall("DEL", scheduler.record)
return 1
