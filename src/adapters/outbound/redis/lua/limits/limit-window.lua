--- @include "attempts/limiter-window"
--- @include "attempts/starts"

-- In how many ms a limiter lets a job of this cost start; 0 when it does now. A clock that was put back, as by a
-- failover, must not stop the queues.
local function untilStartIn(starts, limiter, now, cost, isPlain)
  local at, isClockBack = nextStartIn(starts, limiter.max, windowOf(limiter), now, cost, isPlain)
  if isClockBack then rcall("DEL", starts, starts .. MORE) end
  return at and math.max(0, at - now) or 0
end

-- What the limiter leaves of its window.
local function startsLeftIn(starts, limiter, now)
  return limiter.max - countedIn(starts, windowOf(limiter), now)
end
