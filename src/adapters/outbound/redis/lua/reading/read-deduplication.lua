-- Returns the id of the job that holds a deduplication id, and the time that it has left in ms, -1 without an end;
-- nothing when no job does.

local job = rcall("GET", holder)
return job and {job, rcall("PTTL", holder)}
