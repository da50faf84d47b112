-- The gate of a queue, where it has one: the reasons to give claims no job, and what ends as a job starts.
local function gateOf(queue, claimant)
  --- @include "attempts/breaker"
  --- @include "attempts/closed-for"
  --- @include "attempts/ending-calls"
  --- @include "attempts/forget-order"
  local isProbe
  local gate = {}
  function gate.endingCalls() return endingCalls(queue.prefix) end
  function gate.closedFor()
    local closed = closedFor(queue.prefix)
    if closed > 0 or claimant.hasBreaker == nil then return closed end
    closed, isProbe = breakerClosedFor(queue.prefix, claimant.hasBreaker)
    return closed
  end
  function gate.noteStart(id, token)
    forgetOrder(queue.prefix)
    if isProbe then noteProbe(queue.prefix, token, id) end
  end
  return gate
end

-- The limiter of the worker or of the queue, where there is one.
local function limiterOf(queue, claimant, costs)
  --- @include "attempts/limiter"
  local limiter = claimant.limiter
  local most, duration = tonumber(queue.max or limiter and limiter.max), limiter and limiter.duration or queue.duration
  local function isPlain() return not costs.areThere() end
  return {
    closedFor = function(cost) return limitedFor(queue, most, limiter, cost, isPlain()) end,
    -- Answers what its field COUNTED keeps of it.
    noteStart = function(job, now, cost)
      countStart(queue, job, duration, limiter, now, cost, isPlain())
      return startText(now, cost) .. ":" .. math.floor(math.abs(duration))
    end,
  }
end
