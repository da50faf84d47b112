-- Whether a job of a scheduler is over for it: it started, even if it waits again, or the scheduler ended with it.
-- Native workers note a start only in the job.
local function isPast(prefix, scheduler, jobId)
  local known = rcall("HMGET", prefix .. "repeat:" .. scheduler, LAST, ENDED_WITH)
  return known[1] == jobId or known[2] == jobId or rcall("HEXISTS", prefix .. jobId, "processedOn") == 1
end

-- Whether a job is the next one of its scheduler, to go on with once it starts. The last one stays in the register of
-- the schedulers when it is past.
local function isNextOfScheduler(prefix, jobId)
  local scheduler, slot = string.match(jobId, "^repeat:(.*):(%d+)$")
  return scheduler and rcall("ZSCORE", prefix .. "repeat", scheduler) == slot and not isPast(prefix, scheduler, jobId)
end
