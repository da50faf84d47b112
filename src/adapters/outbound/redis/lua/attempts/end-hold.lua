-- Ends the hold of a queue and wakes one waiter for its jobs; each that takes one wakes another. Returns 1, or 0 when
-- there is no queue.

--- @include "attempts/ended-hold"
--- @include "reading/has-jobs"

if not isThere(prefix) then return 0 end
if endHold(prefix) then rcall("ZADD", marker, 0, "0") end
return 1
