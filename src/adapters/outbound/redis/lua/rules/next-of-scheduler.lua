-- Whether a job of a scheduler started once, even if it waits again. Native workers note that only in the job.
local function hasStarted(prefix, scheduler, jobId)
  return rcall("HGET", prefix .. "repeat:" .. scheduler, LAST) == jobId or
    rcall("HEXISTS", prefix .. jobId, "processedOn") == 1
end

-- Whether a job is the next one of its scheduler, to go on with once it starts. The last one stays in the register of
-- the schedulers after its start.
local function isNextOfScheduler(prefix, jobId)
  local scheduler, slot = string.match(jobId, "^repeat:(.*):(%d+)$")
  return scheduler and rcall("ZSCORE", prefix .. "repeat", scheduler) == slot and
    not hasStarted(prefix, scheduler, jobId)
end
