-- In TypeScript: domain/transitions/settle
--- @include "reading/decoded"
--- @include "attempts/failure"
--- @include "attempts/few-steps"
--- @include "attempts/hold"
--- @include "groups/group-orders"
--- @include "attempts/steps"
--- @include "attempts/verdict"
--- @include "attempts/wait-again"

-- Ends attempts otherwise than by a completion.
local function otherEndings(queue, ofWorker, endings)
  local prefix, timestamp, toSave = queue.prefix, queue.timestamp, {}

  -- An attempt that never started goes on no record.
  local function record(job, held, call)
    if call ~= "" and held[5] then rcall("HSET", job, RECORDED, endings.lineOf(held, call)) end
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

  -- Whether an answer that awaits nothing may save its steps here. What is wrong with one, attempts/suspend finds out.
  --
  -- value: in lines, of each step its name and its value
  function others.admits(step, job, value, held)
    local steps, new, isKnown = stepsOf(job, held[9]), {}, {}
    -- All steps, where the claim of this run answers them and they are few.
    local all = queue.wantsSteps and (steps.count == 0 and {} or fewSteps(job, held[9]))
    for index = 1, all and #all or 0, 2 do isKnown[all[index]] = true end
    for name, text in string.gmatch(value, "([^\n]+)\n([^\n]+)") do
      if not isKnown[name] and (all or rcall("HEXISTS", job .. STEP_VALUES, name) == 0) then
        countStep(steps, name, #text)
        new[#new + 1], new[#new + 2] = name, text
      end
    end
    toSave[step] = {steps = steps, new = new, all = all}
    local most = string.find(held[4] or "", '"maxCalls"', 1, true) and tonumber(decoded(held[4]).maxCalls)
    return #new > 0 and not excessOf(steps) and (tonumber(held[11]) or 0) < (most or MOST_SUSPENSIONS)
  end

  -- Saves the steps of an admitted answer, after which the job waits ahead of others, or of those of its priority. The
  -- attempt does not count.
  function others.save(step, id, token, call, held)
    local job, steps, new, all = prefix .. id, toSave[step].steps, toSave[step].new, toSave[step].all
    if held[13] or held[14] then rcall("HDEL", job, DEFERRALS, COUNTED) end
    for index = 1, #new, 2 do
      noteSaved(steps, token, new[index])
      local saved = putStep(steps, new[index], STEP_OF_VALUE, timestamp, new[index + 1])
      if all then all[#all + 1], all[#all + 2] = new[index], saved end
    end
    held[9], queue.savedSteps[job] = writeSteps(steps), all
    local recorded = call ~= "" and endings.lineOf(held, call) or held[8] or ""
    rcall("HSET", job, SUSPENSIONS, (tonumber(held[11]) or 0) + 1, RECORDED, recorded)
    if queue.takesAhead and not held[10] and (tonumber(held[12]) or 0) == 0 then endings.ahead[step] = id
    else endings.waitAhead(id, held[10], held[12]) end
  end

  function endings.waitAhead(id, group, priority)
    rcall("HDEL", prefix .. id, ATTEMPT, PROCESSED_BY)
    goOnAhead(queue, id, group, priority)
    endings.hasWaiting = true
  end

  return others
end
