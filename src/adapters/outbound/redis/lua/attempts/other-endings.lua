-- In TypeScript: domain/transitions/settle
--- @include "reading/decoded"
--- @include "attempts/failure"
--- @include "attempts/hold"
--- @include "groups/group-orders"
--- @include "attempts/verdict"
--- @include "attempts/wait-again"

-- Ends attempts otherwise than by a completion.
local function otherEndings(queue, ofWorker, endings)
  local prefix, timestamp = queue.prefix, queue.timestamp

  -- An attempt that never started goes on no record.
  local function record(job, held, call)
    if call ~= "" and held[5] then
      rcall("HSET", job, RECORDED, endings.lineOf(held, call))
    end
  end

  local function writeFailure(job, reason, held, call)
    local stacktrace = withReason(rcall("HGET", job, "stacktrace"), reason)
    rcall("HDEL", job, ATTEMPT, PROCESSED_BY, PULLED_BY, COUNTED)
    rcall("HSET", job, "atm", oneMore(held[7]), "failedReason", reason, "stacktrace", stacktrace)
    record(job, held, call)
  end

  local others = {}

  -- Returns the move of the breaker, if any.
  function others.judge(id, token, verdict)
    return judge(prefix, id, token, verdict)
  end

  function others.fail(id, reason, held, call, deadLetters)
    local job, made = prefix .. id, oneMore(held[7])
    local group = held[10]
    if finish(queue, id, "failed", reason, held, ofWorker, "active", made, call, nil, group, deadLetters) then
      writeFailure(job, reason, held, call)
      rcall("HDEL", job, DEFERRED_FAILURE)
      rcall("HSET", job, "finishedOn", timestamp)
      if group then blockGroup(queue, group, id) end
    end
    if tonumber(made) >= (tonumber(decoded(held[4])["attempts"]) or 0) then
      rcall("XADD", queue.events, "*", "event", "retries-exhausted", "jobId", id, "attemptsMade", made)
    end
  end

  -- The call of the job was split: it goes back with the others of its half.
  local function putBackInHalf(id, half, group)
    rcall("HSET", prefix .. id, HALF, half)
    giveBack(queue, id, 0, group)
    endings.hasWaiting = true
  end

  function others.retry(id, reason, held, call, terms)
    local delay = terms.delay
    writeFailure(prefix .. id, reason, held, call)
    if terms.half then
      putBackInHalf(id, terms.half, held[10])
      return
    end
    if delay > 0 then
      delayJob(queue, id, delay, held[10])
    else
      requeue(queue, id, decoded(held[4])["lifo"] == true, held[10])
    end
    endings.hasDelayed = endings.hasDelayed or delay > 0
    endings.hasWaiting = endings.hasWaiting or delay == 0
  end

  -- The attempt does not count. Returns whether a hold of the queue begins.
  function others.defer(id, held, call, terms)
    local job, delay, group = prefix .. id, terms.delay, held[10]
    local holdsQueue = terms.holdsQueue or terms.holdsGroup and not group
    record(job, held, call)
    rcall("HDEL", job, ATTEMPT, PROCESSED_BY, PULLED_BY, COUNTED)
    if terms.half then
      putBackInHalf(id, terms.half, group)
      return false
    end
    rcall("HINCRBY", job, DEFERRALS, 1)
    groupEvent(queue.events, nil, group, "deferred", id)
    local begins = holdsQueue and delay > 0 and select(2, hold(prefix, delay, "endpoint"))
    if terms.holdsGroup and group and delay > 0 then holdGroup(prefix, group, delay) end
    local goesBack = holdsQueue or terms.holdsGroup or delay == 0
    if terms.place then
      local isAhead = terms.place == "ahead" or decoded(held[4])["lifo"] == true
      requeue(queue, id, isAhead, group)
    else
      giveBack(queue, id, goesBack and 0 or delay, group)
    end
    endings.hasDelayed = endings.hasDelayed or not goesBack
    endings.hasWaiting = endings.hasWaiting or goesBack
    endings.mayGate = true
    return begins
  end

  return others
end
