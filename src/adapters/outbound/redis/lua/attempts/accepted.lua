--- @include "attempts/holds"

-- Jobs that their endpoints accepted and complete later, or that clients received as messages. An acceptance is the
-- token of the attempt, when the job was accepted and until when, separated by colons. No replica renews the lock of
-- such a job, so it lasts longer than the job's time, after which the search for overdue jobs ends the attempt. A
-- register names the queues that have such jobs, by the time of the next check.

-- Sets the time of the next check of the queue in the register.
local function registerAccepted(register, accepted, queue)
  local first = rcall("ZRANGE", accepted, 0, 0, "WITHSCORES")[2]
  if first then rcall("ZADD", register, first, queue) else rcall("ZREM", register, queue) end
end
