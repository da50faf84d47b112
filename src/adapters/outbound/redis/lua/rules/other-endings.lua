--- @include "rules/hold"
--- @include "rules/verdict"
--- @include "rules/wait-again"

-- The reasons of the failures of a job, the last ones, with one more.
local function withReason(stacktrace, reason)
  local isList, reasons = pcall(cjson.decode, stacktrace or "[]")
  if not isList or type(reasons) ~= "table" then reasons = {} end
  reasons[#reasons + 1] = reason
  while #reasons > KEPT_REASONS do table.remove(reasons, 1) end
  return cjson.encode(reasons)
end

-- The options of a job; those that cannot be read are none.
local function optionsOf(text)
  local isJson, options = pcall(cjson.decode, text or "null")
  return isJson and type(options) == "table" and options or {}
end

-- Ends attempts otherwise than by a completion. written: the fields of the hash that every ending writes.
local function otherEndings(queue, ofWorker, endings, written)
  local prefix = queue.prefix

  local function failed(id, reason, record, call)
    local stacktrace = withReason(rcall("HGET", prefix .. id, "stacktrace"), reason)
    return written(record, call, "atm", oneMore(record[7]), "failedReason", reason, "stacktrace", stacktrace)
  end

  local others = {}

  -- Returns the move of the breaker, if any.
  function others.judge(id, token, verdict)
    local isAsProbe = verdict == "up as probe"
    local isUp = verdict == "up" or isAsProbe
    return judge(prefix, id, token, isUp and {isDown = false, isOfProbe = isAsProbe} or cmsgpack.unpack(verdict))
  end

  function others.fail(id, reason, record, call)
    finish(queue, id, "failed", reason, failed(id, reason, record, call), record, ofWorker, "active")
    local made = oneMore(record[7])
    if tonumber(made) >= (tonumber(optionsOf(record[4])["attempts"]) or 0) then
      rcall("XADD", queue.events, "*", "event", "retries-exhausted", "jobId", id, "attemptsMade", made)
    end
  end

  function others.retry(id, reason, record, call, delay)
    local job = prefix .. id
    rcall("HDEL", job, ATTEMPT, PROCESSED_BY, PULLED_BY)
    rcall("HSET", job, unpack(failed(id, reason, record, call)))
    if delay > 0 then delayJob(queue, id, delay)
    else requeue(queue, id, optionsOf(record[4])["lifo"] == true) end
    endings.hasDelayed = endings.hasDelayed or delay > 0
    endings.hasWaiting = endings.hasWaiting or delay == 0
  end

  -- The attempt does not count. Returns whether a hold of the queue begins.
  function others.defer(id, record, call, delay, holdsQueue)
    local job = prefix .. id
    local fields = written(record, call)
    if fields[1] then rcall("HSET", job, unpack(fields)) end
    rcall("HDEL", job, ATTEMPT, PROCESSED_BY, PULLED_BY)
    rcall("HINCRBY", job, DEFERRALS, 1)
    rcall("XADD", queue.events, "*", "event", "deferred", "jobId", id)
    local begins = holdsQueue and delay > 0 and select(2, hold(prefix, delay))
    local goesBack = holdsQueue or delay == 0
    giveBack(queue, id, goesBack and 0 or delay)
    endings.hasDelayed = endings.hasDelayed or not goesBack
    endings.hasWaiting = endings.hasWaiting or goesBack
    endings.mayGate = true
    return begins
  end

  return others
end
