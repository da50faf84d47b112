-- Returns the record of a job's attempts, its group and its options, each empty when there is none, or nothing without
-- a job.
--
-- KEYS[1] job
--- @include "rules/staged-number"

local job = redis.pcall("HMGET", KEYS[1], "name", "timestamp", RECORDED, GROUP, "opts")
if job.err or not job[1] or not job[2] or isStagedJob(KEYS[1]) then return false end
return {job[3] or "", job[4] or "", job[5] or ""}
