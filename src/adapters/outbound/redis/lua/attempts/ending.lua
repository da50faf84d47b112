-- In TypeScript: domain/transitions/settle
--- @include "groups/group-places"
--- @include "attempts/finish"
--- @include "attempts/one-more"
--- @include "attempts/slot"
--- @include "attempts/with-attempt"
--- @include "limits/limits"

-- Ends attempts of a queue in three passes: `takeFrom` takes its job from each attempt that holds it, `release` frees
-- these jobs, `finish` does to each what its ending says. `effects` are those that others must learn of. `ahead` has,
-- by their steps, the jobs that go on ahead of all that wait, and are in no list yet: a claim takes them, or
-- `waitAhead` puts them there.
--
-- ofWorker: how many ended jobs are kept unless they say so themselves.
local function endingsOf(queue, ofWorker, isReported)
  local endings = {effects = {}, released = {}, ahead = {}, hasFinished = false, hasWaiting = false,
    hasDelayed = false, mayGate = false, frees = false}
  local prefix, timestamp = queue.prefix, queue.timestamp
  local records, locks, otherKinds = {}, {}, nil
  -- By its text, since most endings of a run have the same.
  local termsByText = {[""] = {how = "completed"}}
  local fields = {"parentKey", "parent", "deid", "opts", "processedOn", ATTEMPT, "atm", RECORDED, STEPS, GROUP,
    SUSPENSIONS, "priority", DEFERRALS, COUNTED}
  local fieldsRead = queue.isGrouped and 10 or 9

  local function note(step, effect)
    endings.effects[#endings.effects + 1] = step
    endings.effects[#endings.effects + 1] = effect
  end

  local function reportOf(id, how)
    return (how == "completed" and how or "failed") .. ":" .. id
  end

  local function termsIn(text)
    termsByText[text] = termsByText[text] or cjson.decode(text)
    return termsByText[text]
  end

  -- The functions of other endings than completions, which are not defined in a run without one.
  local function others()
    if otherKinds then return otherKinds end
    --- @include "attempts/other-endings"
    otherKinds = otherEndings(queue, ofWorker, endings)
    return otherKinds
  end

  -- Returns whether the attempt held the job. A job that goes back stays active until then, which tells its place.
  --
  -- at: the first argument of the step
  function endings.takeFrom(step, at)
    local id, token = ARGV[at], ARGV[at + 1]
    local job, terms = prefix .. id, termsIn(ARGV[at + 4])
    local how = terms.how
    local saves = how == "saved" and others()
    local record = redis.pcall("HMGET", job, unpack(fields, 1, saves and #fields or fieldsRead))
    local isHeld = not record["err"] and (record[5] and record[6] == record[5] .. ":" .. token or
      rcall("GET", job .. ":lock") == token)
    if isHeld and saves and not saves.admits(step, job, ARGV[at + 2], record) then
      note(step, "refused")
      return false
    end
    if isHeld and (how == "deferred" and not terms.place or terms.half) then isHeld = rcall("LPOS", queue.active, id)
    -- The store writes numbers of a script as text, with 17 digits.
    elseif isHeld then isHeld = rcall("LREM", queue.active, "-1", id) > 0 end
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
    if queue.isGrouped then rcall("HDEL", prefix .. GROUP_RUNNING, unpack(endings.released)) end
    -- Before the events of this run, so that it trims none of its own.
    rcall("XTRIM", queue.events, "MAXLEN", "~", maxEvents)
  end

  -- What is on record of the attempts of a job after this one, which names the steps that it saved.
  function endings.lineOf(record, call)
    return withAttempt(record[8], record[5], timestamp, call, record[9], record[6])
  end

  local function complete(id, value, record, call)
    local job, made = prefix .. id, oneMore(record[7])
    if not finish(queue, id, "completed", value, record, ofWorker, "active", made, call, nil, record[10]) then
      return
    end
    rcall("HDEL", job, ATTEMPT, PROCESSED_BY, PULLED_BY, DEFERRED_FAILURE)
    -- The store goes through the whole record for a field that is not there.
    if queue.mayCount then rcall("HDEL", job, COUNTED) end
    if call == "" then
      rcall("HSET", job, "atm", made, "returnvalue", value, "finishedOn", timestamp)
    else
      rcall("HSET", job, "atm", made, "returnvalue", value, "finishedOn", timestamp,
        RECORDED, endings.lineOf(record, call))
    end
  end

  local function applyVerdict(step, id, token, verdict)
    endings.mayGate = true
    local move = others().judge(id, token, verdict)
    if move then note(step, move) end
  end

  -- Sets what the start of an attempt counts. The definitions cost nothing in a run that sets none.
  local countStartAnew
  local function countAs(id, group, cost, token)
    if not countStartAnew then
      --- @include "attempts/counted"
      countStartAnew = countAnew
    end
    countStartAnew(queue, id, group, cost, token)
  end

  function endings.finish(step, id, token, value, call, text)
    local terms, record = termsIn(text), records[step]
    if terms.cost then countAs(id, record[10], terms.cost, token) end
    if queue.hasLimits then limitRules().leave(prefix, token) end
    local how, verdict = terms.how, terms.verdict
    if verdict and (verdict.isDown or queue.hasGate or endings.mayGate) then applyVerdict(step, id, token, verdict) end
    local group = record[10]
    if group and groupPlaces().freePlace(prefix, group) then endings.frees = true end
    if how == "completed" then complete(id, value, record, call)
    elseif how == "failed" then others().fail(id, value, record, call, terms.deadLetters)
    elseif how == "retry" then others().retry(id, value, record, call, terms)
    elseif how == "saved" then others().save(step, id, token, call, record)
    elseif others().defer(id, record, call, terms) then note(step, "held") end
    if how == "completed" or how == "failed" then
      endings.hasFinished = true
      if isOfScheduler(id) then slots().noteEnd(prefix, id, timestamp) end
    end
    if isReported then
      --- @include "attempts/report"
      rememberReport(prefix .. REPORTS .. token, prefix .. ACCEPTED, prefix .. ACCEPTANCES, reportOf(id, how), id)
    end
  end

  return endings
end
