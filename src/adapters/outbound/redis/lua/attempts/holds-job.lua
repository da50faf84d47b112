-- Returns 1 when the attempt holds the job, else 0.
--- @include "attempts/holds"

return rcall("EXISTS", job) == 1 and holds(job, id, active, token) and 1 or 0
