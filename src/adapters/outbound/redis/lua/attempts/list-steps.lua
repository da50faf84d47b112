-- Returns the steps of a job and what it awaits, or nothing without a job.
--- @include "adds/staged-number"

local record = redis.pcall("HMGET", job, "name", "timestamp", SUSPENSION)
if record.err or not record[1] or not record[2] or isStagedJob(job) then return false end
return {rcall("HGETALL", job .. STEP_VALUES), record[3] or ""}
