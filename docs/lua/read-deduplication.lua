-- Returns the id of the job that holds a deduplication id, and the time that it has left in ms, -1 without an end;
-- nothing when no job does.
--
-- KEYS[1] the deduplication id

local rcall = redis.call
local holder = KEYS[1]
local job = rcall("GET", holder)
return job and {job, rcall("PTTL", holder)}
