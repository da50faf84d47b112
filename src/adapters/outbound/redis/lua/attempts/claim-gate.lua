--- @include "attempts/breaker"
--- @include "attempts/closed-for"
--- @include "attempts/destination"
--- @include "attempts/ending-calls"
--- @include "attempts/forget-order"

-- The gate of a queue, where it has one: the reasons to give claims no job, and what ends as a job starts.
local function gateOf(queue, claimant)
  local isProbe
  local gate = {}
  function gate.endingCalls() return endingCalls(queue.prefix) end
  function gate.closedFor()
    local closed = closedFor(queue.prefix)
    if closed > 0 or claimant.hasBreaker == nil then return closed end
    closed, isProbe = breakerClosedFor(queue.prefix, claimant.hasBreaker)
    return closed
  end
  function gate.noteStart(id, job, token)
    forgetOrder(queue.prefix)
    if isProbe and not hasDestination(rcall("HGET", job, "opts")) then noteProbe(queue.prefix, token, id) end
  end
  return gate
end
