-- In TypeScript: domain/attempts/breaker
--- @include "attempts/closed-breaker"
--- @include "reading/store-time"

-- Applies the verdict on a call to the breaker of the queue. Returns the move that other replicas must learn of, if
-- any.
--
-- verdict: isDown, isOfProbe (it counts only where the attempt is the probe), and of a call that found the endpoint
-- down failures, openFor, maxOpenFor and reason (docs: Verdict).
local function judge(prefix, jobId, token, verdict)
  local gate, failed, meta = prefix .. GATE, prefix .. GATE_FAILED, prefix .. "meta"
  if rcall("HEXISTS", meta, GATED) == 0 then
    if not verdict.isDown then return nil end
    -- What is there is that of a queue of the same name that is gone.
    rcall("DEL", gate, failed)
  end
  local state = rcall("HMGET", gate, OPEN_FOR, PROBE, FAILED)
  local openFor = tonumber(state[1])
  if openFor and state[2] ~= token or not openFor and verdict.isOfProbe then return nil end
  if not verdict.isDown then
    closeBreaker(prefix)
    return openFor and "closed" or nil
  end
  local now, move = storeTime(), nil
  if openFor then
    openFor = math.min(2 * openFor, verdict.maxOpenFor)
    rcall("HDEL", gate, PROBE, PROBE_JOB)
  else
    if not state[3] then rcall("DEL", failed) end
    rcall("SADD", failed, jobId)
    rcall("HSET", meta, GATED, 1)
    local count = rcall("SCARD", failed)
    if count < verdict.failures then
      rcall("HSET", gate, FAILED, count)
      return nil
    end
    rcall("DEL", failed)
    rcall("HDEL", gate, FAILED)
    openFor = verdict.openFor
    rcall("HSET", gate, OPEN_SINCE, string.format("%.0f", now))
    move = "opened"
  end
  rcall("HSET", gate, OPEN_UNTIL, string.format("%.0f", math.ceil(now + openFor)), OPEN_FOR,
    string.format("%.0f", openFor), OPEN_REASON, verdict.reason)
  return move
end
