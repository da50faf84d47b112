--- @include "rules/failure"
--- @include "rules/finish"
--- @include "rules/record"
--- @include "rules/report"
--- @include "rules/slot"

-- Other endings than a completion: what they need is not defined where a run has none.
local function otherEndings(queue)
  --- @include "rules/hold"
  --- @include "rules/verdict"
  --- @include "rules/wait-again"
  return {judge = judge, hold = hold, delay = delayJob, requeue = requeue, giveBack = giveBack}
end

-- Ends attempts of a queue in three passes: `takeFrom` takes its job from each attempt that holds it, `release` frees
-- these jobs, `finish` does to each what its ending says. `effects` are those that others must learn of.
--
-- ofWorker: how many ended jobs are kept unless they say so themselves.
local function endingsOf(queue, ofWorker, isReported)
  local endings = {effects = {}, released = {}, hasFinished = false, hasWaiting = false, hasDelayed = false, mayGate = false}
  local prefix, timestamp = queue.prefix, queue.timestamp
  local records, locks, others = {}, {}, nil

  local function note(step, effect)
    endings.effects[#endings.effects + 1] = step
    endings.effects[#endings.effects + 1] = effect
  end

  local function reportOf(id, how)
    return (how == "completed" and how or "failed") .. ":" .. id
  end

  -- Returns whether the attempt held the job. A job that goes back stays active until then, which tells its place.
  function endings.takeFrom(step, id, token, how)
    local job = prefix .. id
    local record = redis.pcall("HMGET", job, "parentKey", "parent", "deid", "opts", "processedOn", ATTEMPT, "atm", RECORDED)
    local isHeld = not record["err"] and (record[5] and record[6] == record[5] .. ":" .. token or
      rcall("GET", job .. ":lock") == token)
    local staysActive = how == "deferred" or how == "held"
    if isHeld and staysActive then isHeld = rcall("LPOS", queue.active, id)
    elseif isHeld then isHeld = rcall("LREM", queue.active, -1, id) > 0 end
    if isHeld then
      records[step] = record
      endings.released[#endings.released + 1] = id
      locks[#locks + 1] = job .. ":lock"
      return true
    end
    if isReported and rcall("GET", prefix .. REPORTS .. token) == reportOf(id, how) then note(step, "repeated") end
    return false
  end

  function endings.release(maxEvents)
    rcall("SREM", queue.stalled, unpack(endings.released))
    rcall("DEL", unpack(locks))
    -- Before the events of this run, so that it trims none of its own.
    rcall("XTRIM", queue.events, "MAXLEN", "~", maxEvents)
  end

  -- The fields of the hash that every ending writes. An attempt that never started has no record.
  local function written(record, call, ...)
    local fields = {...}
    if call ~= "" and record[5] then
      fields[#fields + 1] = RECORDED
      fields[#fields + 1] = withAttempt(record[8], record[5], timestamp, call)
    end
    return fields
  end

  local function applyVerdict(step, id, token, verdict)
    local isUp = verdict == "up" or verdict == "up as probe"
    if isUp and not queue.hasGate and not endings.mayGate then return end
    endings.mayGate = true
    others = others or otherEndings(queue)
    local move = others.judge(prefix, id, token,
      isUp and {isDown = false, isOfProbe = verdict == "up as probe"} or cmsgpack.unpack(verdict))
    if move then note(step, move) end
  end

  local function fail(id, reason, record, call)
    local made = oneMore(record[7])
    local job = prefix .. id
    local stacktrace = withReason(rcall("HGET", job, "stacktrace"), reason)
    local fields = written(record, call, "atm", made, "failedReason", reason, "stacktrace", stacktrace)
    return fields, tonumber(made)
  end

  local function failForGood(id, reason, record, call)
    local fields, made = fail(id, reason, record, call)
    finish(queue, id, "failed", reason, fields, record, ofWorker, "active")
    local isJson, options = pcall(cjson.decode, record[4] or "null")
    local attempts = isJson and type(options) == "table" and tonumber(options["attempts"]) or 0
    if made >= attempts then
      rcall("XADD", queue.events, "*", "event", "retries-exhausted", "jobId", id, "attemptsMade", made)
    end
  end

  local function retry(id, reason, record, call, delay)
    local job = prefix .. id
    rcall("HDEL", job, ATTEMPT, PROCESSED_BY, PULLED_BY)
    rcall("HSET", job, unpack((fail(id, reason, record, call))))
    if delay > 0 then
      others.delay(queue, id, delay)
      endings.hasDelayed = true
    else
      local isJson, options = pcall(cjson.decode, record[4] or "null")
      others.requeue(queue, id, isJson and type(options) == "table" and options["lifo"] == true)
      endings.hasWaiting = true
    end
  end

  local function defer(step, id, record, call, delay, holdsQueue)
    local job = prefix .. id
    local fields = written(record, call)
    if fields[1] then rcall("HSET", job, unpack(fields)) end
    rcall("HDEL", job, ATTEMPT, PROCESSED_BY, PULLED_BY)
    rcall("HINCRBY", job, DEFERRALS, 1)
    rcall("XADD", queue.events, "*", "event", "deferred", "jobId", id)
    endings.mayGate = true
    if holdsQueue and delay > 0 and select(2, others.hold(prefix, delay)) then note(step, "held") end
    others.giveBack(queue, id, holdsQueue and 0 or delay)
    if holdsQueue or delay == 0 then endings.hasWaiting = true else endings.hasDelayed = true end
  end

  function endings.finish(step, id, token, how, value, call, delay, verdict)
    local record = records[step]
    if verdict ~= "" then applyVerdict(step, id, token, verdict) end
    if how ~= "completed" then others = others or otherEndings(queue) end
    if how == "completed" then
      finish(queue, id, how, value, written(record, call, "atm", oneMore(record[7]), "returnvalue", value), record,
        ofWorker, "active")
    elseif how == "failed" then failForGood(id, value, record, call)
    elseif how == "retry" then retry(id, value, record, call, tonumber(delay))
    else defer(step, id, record, call, tonumber(delay), how == "held") end
    if how == "completed" or how == "failed" then
      endings.hasFinished = true
      noteEnd(prefix, id, timestamp)
    end
    if isReported then
      rememberReport(prefix .. REPORTS .. token, prefix .. ACCEPTED, prefix .. ACCEPTANCES, reportOf(id, how), id)
    end
  end

  return endings
end
