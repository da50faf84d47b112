-- In TypeScript: domain/transitions/claim, domain/transitions/next-job
--- @include "attempts/batch-of-claims"
--- @include "attempts/claim-gate"
--- @include "attempts/costs"
--- @include "attempts/counted-start"
--- @include "attempts/due"
--- @include "attempts/expiry"
--- @include "attempts/few-steps"
--- @include "attempts/free-calls"
--- @include "groups/group-of-record"
--- @include "groups/group-places"
--- @include "attempts/nothing-waits"
--- @include "attempts/parent-mark"
--- @include "attempts/resumed"
--- @include "attempts/slot"
--- @include "attempts/take-first"
--- @include "attempts/turns-of-groups"
--- @include "attempts/write-start"
--- @include "limits/limits"
--- @include "reading/store-time"

-- Takes jobs for the claims of a run: the same for calls and for pulls, for one and for many, alone and beside endings.
--
-- queue: attempts/queue with isPaused, concurrency, max, duration and hasGate of its metadata; claimant: deadline
-- (epoch ms of the store, or nothing), count (of claims), concurrency, lockDuration, replica, groups (the defaults of
-- groups as JSON), pulled (the register, for pulls), hasBreaker (nothing for pulls), limiter (max, duration, window, or
-- nothing), batch (see attempts/batch, or nothing), limits (the names of those that the queue shares as JSON, or
-- nothing), wantsSteps (whether the answer has the steps of jobs).
local function claimsOf(queue, claimant)
  local claims = {nextAt = 0, limitedFor = 0, isLate = false, wakes = false, hasTaken = false, isEmpty = false}
  local gate = queue.hasGate and gateOf(queue, claimant)
  local prefix, timestamp, costs = queue.prefix, queue.timestamp, costsOf(queue.prefix)
  local limiter = (queue.max or claimant.limiter) and limiterOf(queue, claimant, costs)
  local limits, claimed = claimant.limits and limitRules().of(queue, claimant.limits), nil
  local room, hasDue, expirable = nil, false, MOST_FAILED_BY_CLAIMS
  local batch, turns = claimant.batch and batchOfClaims(queue, claimant.batch), nil

  local function isClosed()
    local closed = gate and gate.closedFor() or 0
    -- Where jobs have costs, that of the next one decides.
    if closed == 0 and limiter then closed = limiter.closedFor(costs.areThere() and 0 or 1) end
    claims.limitedFor = closed
    return closed > 0
  end

  -- Whether the limits that the queue shares let no job of this cost start for the claim that is served.
  local function isRefused(cost)
    local rest = limits and limits.refusal(claimed, cost)
    if rest then claims.nextAt, claims.isEmpty = tonumber(timestamp) + rest, true end
    return rest
  end

  -- Whether a limiter lets the job not start yet.
  local function isTooDear(id)
    claims.limitedFor = id and limiter and limiter.closedFor(costs.of(id)) or 0
    return claims.limitedFor > 0 or id and isRefused(costs.of(id))
  end

  -- How many jobs may start. The caller of a late claim may read its answer as an empty queue: one waiter asks again.
  local function measureRoom()
    room = 0
    if queue.isPaused then return end
    if claimant.deadline and storeTime() > claimant.deadline then
      claims.isLate, claims.wakes = true, true
      return
    end
    room = freeCalls(queue, claimant, gate, batch)
    local earliest = tonumber(rcall("ZRANGE", queue.delayed, 0, 0, "WITHSCORES")[2])
    hasDue = earliest and earliest < (timestamp + 1) * 0x1000
    turns = queue.isGrouped and room > 0 and turnsOfGroups(queue, claimant)
  end

  -- None of the next jobs may join the call: another call may start at once.
  local function mayNotJoin()
    claims.isEmpty, claims.wakes = true, true
    claims.nextAt = tonumber(timestamp)
  end

  -- Whether the next job may join the call, where it has one.
  local function mayJoin(turn)
    local id = idOfNext(queue, turn)
    return not id or batch.admits(id)
  end

  -- To be called before active jobs are read or changed.
  local function writeTaken() if turns then turns.writeTaken() end end

  local function nextId(turn)
    local hasCosts = (limiter or limits) and costs.areThere()
    if hasCosts and isTooDear(idOfNext(queue, turn)) then return nil end
    if batch and not mayJoin(turn) then
      local id = not turns and batch.takeFromBehind(hasCosts and isTooDear)
      if claims.limitedFor > 0 or claims.isEmpty then return nil end
      if not id then mayNotJoin() end
      return id
    end
    if turn and turn.job then return turns.take(turn) end
    writeTaken()
    return takeFirst(queue)
  end

  -- A job that was taken does not start.
  local function giveUp(id)
    writeTaken()
    rcall("LREM", queue.active, 1, id)
  end

  -- Starts a job. Answers its record, as it is from then on without what is on record of its attempts, its id and maybe
  -- its steps.
  local function start(id, job, record, token, turn, turnCost)
    room, claims.hasTaken = room - 1, true
    local counted, flow = nil, turn and turn.flow
    if limiter or limits or flow or turn and turn.limiter then
      local now, cost = storeTime(), costs.of(id)
      if limiter then counted = limiter.noteStart(job, now, cost) end
      if turn and turn.limiter then counted = turns.noteStart(turn, now, cost, counted) end
      -- A client that pulls jobs asks again when it wants more.
      local goesOn, under = room > 0 and not claimant.pulled, limits or flow and limitRules().of(queue, "[]")
      if under then counted = under.started(flow, id, job, token, now, cost, counted, goesOn) end
    end
    if gate then gate.noteStart(id, job, token) end
    if turn then turns.started(turn, id, turnCost) end
    if batch then batch.joined(record, turn) end
    local starts, suspension, steps = countedStart(record, timestamp)
    if suspension then steps = resumed(prefix, id, record, suspension, timestamp) end
    writeStart(queue, claimant, id, starts, token, turn and turn.group or "", counted)
    return {markedParent(job, id, record), id, claimant.wantsSteps and fewSteps(job, steps) or nil}
  end

  local function takeNext(token)
    while expirable > 0 do
      if claims.isEmpty or (gate or limiter) and isClosed() then return nil end
      if not room then measureRoom() end
      if room <= 0 or isRefused(limits and costs.areThere() and 0 or 1) then return nil end
      local turn = turns and (batch and batch.turn(turns) or not batch and turns.next())
      -- A call with several jobs may pass over the first that is due.
      if hasDue and (not turns or turn and not turn.job) then moveDueJobsToHead(queue, batch and math.huge or 1) end
      local id = (turn or not turns) and nextId(turn)
      if claims.isEmpty or claims.limitedFor > 0 then return nil end
      if not id and batch and turns and turns.next() then
        return mayNotJoin()
      end
      if not id then
        noteNothing(queue, claims, turns)
        return nil
      end
      if isOfScheduler(id) then
        writeTaken()
        if not slots().mayStart(prefix, id, timestamp) then
          claims.wakes = true
          return {0, id}
        end
      end
      local job = prefix .. id
      local record = redis.pcall("HGETALL", job)
      local expires = not record["err"] and expiryOf(record)
      local group, cost, isForeign
      if turn and not record["err"] then group, cost, isForeign = groupOfRecord(record) end
      if group and not turn.job then
        giveUp(id)
        if isForeign then rcall("HSET", job, GROUP, group, GROUP_COST, cost) end
        groupPlaces().waitAgainInGroup(prefix, group, id)
      elseif record["err"] then
        giveUp(id)
        claims.wakes = true
      elseif expires and expires <= tonumber(timestamp) then
        giveUp(id)
        failExpired(queue, id, expires, "waiting")
        -- It may block its group.
        if turns then keepEnded(queue) end
        expirable = expirable - 1
      else
        if expires then startedInTime(prefix, id) end
        return start(id, job, record, token, turn, cost)
      end
    end
    claims.wakes = true
    return nil
  end

  -- Takes the next job. Answers its record, its id and maybe its steps, the id alone of one whose slot is to be
  -- skipped, or nothing.
  function claims.take(token)
    claimed = token
    local taken = takeNext(token)
    if limits and not taken and not limits.hasRefused then limits.stopWaiting() end
    return taken
  end

  -- Whether other claimants may get a job as this run did.
  function claims.mayGoOn() return claims.hasTaken and not (limits and limits.isWaiting()) end

  -- The run takes no further job. Native workers that are there take the next one as well.
  function claims.close()
    if not turns then return end
    if turns.areNativeThere() then turns.stage() end
    turns.write()
  end

  return claims
end
