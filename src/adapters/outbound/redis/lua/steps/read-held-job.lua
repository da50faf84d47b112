-- Returns the hash of a job that an attempt holds, or nothing.
--
-- KEYS[1] job
-- KEYS[2] active
--
-- ARGV[1] token
-- ARGV[2] id of the job
--- @include "rules/holds"
--- @include "rules/without-record"

local job, active = KEYS[1], KEYS[2]
local token, id = ARGV[1], ARGV[2]
if rcall("EXISTS", job) == 0 or not holds(job, id, active, token) then return false end
return withoutRecord(rcall("HGETALL", job))
