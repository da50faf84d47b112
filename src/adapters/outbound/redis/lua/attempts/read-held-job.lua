-- Returns the hash of a job that an attempt holds, or nothing.
--- @include "attempts/holds"
--- @include "reading/without-record"

if rcall("EXISTS", job) == 0 or not holds(job, id, active, token) then return false end
return withoutRecord(rcall("HGETALL", job))
