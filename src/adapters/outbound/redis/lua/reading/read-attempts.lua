-- Returns the record of a job's attempts, its group and its options, each empty when there is none, or nothing without
-- a job.
--- @include "adds/staged-number"

local record = redis.pcall("HMGET", job, "name", "timestamp", RECORDED, GROUP, "opts")
if record.err or not record[1] or not record[2] or isStagedJob(job) then return false end
return {record[3] or "", record[4] or "", record[5] or ""}
