--- @include "rules/finish"
--- @include "rules/report"
--- @include "rules/slot"
--- @include "rules/with-attempt"

-- A count of a job and one; a count that is no integer begins anew.
local function oneMore(field)
  return string.format("%.0f", (field and string.find(field, "^%-?%d+$") and field or 0) + 1)
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

  -- The functions of other endings than completions, which are not defined in a run without one.
  local function othersOf()
    --- @include "rules/other-endings"
    return otherEndings(queue, ofWorker, endings, written)
  end

  local function applyVerdict(step, id, token, verdict)
    if string.sub(verdict, 1, 2) == "up" and not queue.hasGate and not endings.mayGate then return end
    endings.mayGate = true
    others = others or othersOf()
    local move = others.judge(id, token, verdict)
    if move then note(step, move) end
  end

  function endings.finish(step, id, token, how, value, call, delay, verdict)
    local record = records[step]
    if verdict ~= "" then applyVerdict(step, id, token, verdict) end
    if how == "completed" then
      finish(queue, id, how, value, written(record, call, "atm", oneMore(record[7]), "returnvalue", value), record,
        ofWorker, "active")
    else
      others = others or othersOf()
      if how == "failed" then others.fail(id, value, record, call)
      elseif how == "retry" then others.retry(id, value, record, call, tonumber(delay))
      elseif others.defer(id, record, call, tonumber(delay), how == "held") then note(step, "held") end
    end
    if how == "completed" or how == "failed" then
      endings.hasFinished = true
      if isOfScheduler(id) then slots().noteEnd(prefix, id, timestamp) end
    end
    if isReported then
      rememberReport(prefix .. REPORTS .. token, prefix .. ACCEPTED, prefix .. ACCEPTANCES, reportOf(id, how), id)
    end
  end

  return endings
end
