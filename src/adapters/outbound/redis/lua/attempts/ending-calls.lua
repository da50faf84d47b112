-- In TypeScript: domain/transitions/calls
--- @include "reading/store-time"
--- @include "attempts/gate"

-- Has a call count for the concurrency for some ms more at the longest, although its job is gone.
local function keepPlace(prefix, token, duration)
  local ending = prefix .. GATE_ENDING
  enterGate(prefix)
  rcall("ZADD", ending, storeTime() + duration, token)
  if rcall("PTTL", ending) < duration then
    rcall("PEXPIRE", ending, duration)
  end
end

-- How many calls count for the concurrency of a queue that has a gate, although their jobs are gone.
local function endingCalls(prefix)
  rcall("ZREMRANGEBYSCORE", prefix .. GATE_ENDING, "-inf", storeTime())
  return rcall("ZCARD", prefix .. GATE_ENDING)
end
