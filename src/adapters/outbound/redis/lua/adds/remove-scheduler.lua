-- Removes a scheduler and, if that is delayed, its next job. Returns 1, or 0 when there was none.
--- @include "adds/planning"

local scheduler = schedulerNamed(prefix, id)
local score = rcall("ZSCORE", scheduler.schedulers, scheduler.id)
if not score then return 0 end
withdraw(scheduler, jobIdOf(scheduler, score), true)
rcall("ZREM", scheduler.schedulers, scheduler.id)
rcall("DEL", scheduler.record)
return 1
