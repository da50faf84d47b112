--- @include "groups/group-places"
--- @include "attempts/ending-calls"
--- @include "attempts/record"
--- @include "limits/attempt-leaves"

-- Ends the running attempt of an active job whose call may go on, so that its holder loses the job. The call counts for
-- the concurrency, and in limits, as long as the lock would have held. The reason goes on record.
local function takeAttempt(prefix, id, timestamp, code, reason)
  local job = prefix .. id
  -- The write that takes no memory goes first, or a store whose memory is used up refuses all of them.
  rcall("SREM", prefix .. "stalled", id)
  local startedAt, attempt, pulledBy = unpack(rcall("HMGET", job, "processedOn", ATTEMPT, PULLED_BY))
  local start, token = string.match(attempt or "", "^(.*):(.*)$")
  local accepted = string.match(rcall("HGET", prefix .. ACCEPTANCES, id) or "", "^[^:]+")
  local isCalled = token and start == startedAt and token ~= pulledBy and token ~= accepted
  local left = rcall("PTTL", job .. ":lock")
  rcall("DEL", job .. ":lock")
  local group = rcall("HGET", job, GROUP)
  if isCalled and left > 0 then
    keepPlace(prefix, token, left)
    if group then rcall("HSET", prefix .. GROUP_RUNNING, "!" .. token, group) end
  else
    leaveLimitsOf(prefix, token)
  end
  if group then groupPlaces().leaveGroup(prefix, group, id) end
  recordAttempt(job, timestamp, takenAttempt(prefix, id, code, reason))
  rcall("HDEL", job, ATTEMPT, PROCESSED_BY, PULLED_BY, COUNTED)
end
