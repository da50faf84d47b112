-- In TypeScript: domain/transitions/claim
--- @include "attempts/costs"
--- @include "attempts/limiter"

-- The limiter of the worker or of the queue, and the limits that the queue shares, as far as the claims of a run have
-- some.
local function boundsOf(queue, claimant, claims)
  local costs, limiter = costsOf(queue.prefix), claimant.limiter
  local isPlain, self = costs.isPlain, {isPlain = costs.isPlain}
  local isLimited, duration = queue.max or limiter, limiter and limiter.duration or queue.duration
  local most = tonumber(queue.max or limiter and limiter.max)
  local limits = claimant.limits and limitRules().of(queue, claimant.limits)

  -- Whether the limits that the queue shares let no job of this cost start for the claim that is served.
  local function isRefused(cost)
    local rest = limits and limits.refusal(self.token, cost)
    if rest then claims.nextAt, claims.isEmpty = tonumber(queue.timestamp) + rest, true end
    return rest
  end

  -- For how long (ms) the limiter lets no job start. Where jobs have costs, that of the next one decides.
  function self.closedFor()
    return isLimited and limitedFor(queue, most, limiter, isPlain() and 1 or 0, isPlain()) or 0
  end

  -- Whether the limits let no job start for the claim that is served.
  function self.areFull() return limits and isRefused(isPlain() and 1 or 0) end

  -- Whether a limiter or a limit lets the job not start yet.
  function self.isTooDear(id)
    claims.limitedFor = id and isLimited and limitedFor(queue, most, limiter, costs.of(id), isPlain()) or 0
    return claims.limitedFor > 0 or id and isRefused(costs.of(id))
  end

  -- Counts the start of a job. Answers what its field COUNTED keeps of it.
  --
  -- goesOn: whether the claimant takes more jobs, if there are any
  function self.started(id, job, token, turn, turns, goesOn)
    local now, cost, flow, counted = storeTime(), costs.of(id), turn and turn.flow, nil
    if isLimited then
      countStart(queue, job, duration, limiter, now, cost, isPlain())
      counted = startText(now, cost) .. ":" .. math.floor(math.abs(duration))
    end
    if turn and turn.limiter then counted = turns.noteStart(turn, now, cost, counted) end
    local under = limits or flow and limitRules().of(queue, "[]")
    return under and under.started(flow, id, job, token, now, cost, counted, goesOn) or counted
  end

  -- The queue that got no job waits at no limit that did not refuse it.
  function self.gotNothing() if limits and not limits.hasRefused then limits.stopWaiting() end end

  function self.areWaitedFor() return limits and limits.isWaiting() end

  return self
end
