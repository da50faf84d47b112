--- @include "attempts/closed-breaker"
--- @include "attempts/holds"
--- @include "reading/store-time"

-- For how long (ms) the breaker lets no call start, and whether a call that starts now would be a probe. A claim of a
-- worker without a breaker leaves none behind.
local function breakerClosedFor(prefix, hasBreaker)
  if not hasBreaker then
    closeBreaker(prefix)
    return 0, false
  end
  local open = rcall("HMGET", prefix .. GATE, OPEN_UNTIL, PROBE, PROBE_JOB)
  if not open[1] then return 0, false end
  local left = math.ceil(tonumber(open[1]) - storeTime())
  if left > 0 then return left, false end
  -- Whether the attempt that decides still runs.
  if open[2] and holdsWithoutLock(prefix .. open[3], open[3], prefix .. "active", open[2]) then
    return PROBE_CHECK, false
  end
  return 0, true
end

local function noteProbe(prefix, token, jobId)
  rcall("HSET", prefix .. GATE, PROBE, token, PROBE_JOB, jobId)
end
