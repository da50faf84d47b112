-- Returns 1 when the attempt holds the job, else 0.
--
-- KEYS[1] job
-- KEYS[2] active
--
-- ARGV[1] token
-- ARGV[2] id of the job
--- @include "rules/holds"

local job, active = KEYS[1], KEYS[2]
local token, id = ARGV[1], ARGV[2]
return rcall("EXISTS", job) == 1 and holds(job, id, active, token) and 1 or 0
