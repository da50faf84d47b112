-- In TypeScript: domain/transitions/claim, domain/transitions/next-job
--- @include "attempts/claim-room"
--- @include "attempts/counted-start"
--- @include "attempts/expiry"
--- @include "groups/group-places"
--- @include "attempts/parent-mark"
--- @include "attempts/slot"
--- @include "attempts/take-first"
--- @include "attempts/write-start"
--- @include "limits/limits"
--- @include "reading/store-time"

-- Takes jobs for the claims of a run: the same for calls and for pulls, for one and for many, alone and beside endings.
--
-- queue: attempts/queue with isPaused, concurrency, max, duration and hasGate of its metadata, and savedSteps (lists of
-- steps that the run has read, by the keys of their jobs); claimant: deadline (epoch ms of the store, or nothing),
-- count (of claims), concurrency, lockDuration, replica, groups (the defaults of groups as JSON), pulled (the register,
-- for pulls), hasBreaker (nothing for pulls), limiter (max, duration, or nothing), batch (see attempts/batch,
-- or nothing), limits (names of those that the queue shares as JSON, or nothing), wantsSteps (answers have steps).
local function claimsOf(queue, claimant)
  local claims = {nextAt = 0, limitedFor = 0, isLate = false, wakes = false, hasTaken = false, isEmpty = false}
  local prefix, timestamp, room, hasDue, expirable = queue.prefix, queue.timestamp, nil, false, MOST_FAILED_BY_CLAIMS
  local gate, bounds, batch, turns
  if queue.hasGate then
    --- @include "attempts/claim-gate"
    gate = gateOf(queue, claimant)
  end
  if claimant.batch then
    --- @include "attempts/batch"
    batch = batchOf(queue, claimant.batch)
  end

  local function bind()
    --- @include "attempts/claim-bounds"
    bounds = bounds or boundsOf(queue, claimant, claims)
  end
  if queue.max or claimant.limiter or claimant.limits then bind() end

  local function isClosed()
    local closed = gate and gate.closedFor() or 0
    if closed == 0 and bounds then closed = bounds.closedFor() end
    claims.limitedFor = closed
    return closed > 0
  end

  -- How many jobs may start. The caller of a late claim may read its answer as an empty queue: one waiter asks again.
  local function measureRoom()
    room = 0
    if queue.isPaused then return end
    if claimant.deadline and storeTime() > claimant.deadline then
      claims.isLate, claims.wakes = true, true
      return
    end
    room = roomOf(queue, claimant, gate, batch)
    hasDue = isAnyDue(queue)
    if queue.isGrouped and room > 0 then
      --- @include "groups/turns"
      turns = turnsOf(queue, claimant.groups, claimant.count, GROUP_DEFAULTS)
    end
  end

  -- None of the next jobs may join the call: another call may start at once.
  local function mayNotJoin()
    claims.isEmpty, claims.wakes = true, true
    claims.nextAt = tonumber(timestamp)
  end

  -- To be called before active jobs are read or changed.
  local function writeTaken() if turns then turns.writeTaken() end end

  local function nextId(turn)
    local isTooDear = bounds and not bounds.isPlain() and bounds.isTooDear
    local id = (isTooDear or batch) and idOfNext(queue, turn)
    if isTooDear and isTooDear(id) then return nil end
    if batch and id and not batch.admits(id) then
      id = not turns and batch.takeFromBehind(isTooDear)
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
    if turn and (turn.flow or turn.limiter) then bind() end
    -- A client that pulls jobs asks again when it wants more.
    local counted = bounds and bounds.started(id, job, token, turn, turns, room > 0 and not claimant.pulled)
    if gate then gate.noteStart(id, job, token) end
    if turn then turns.started(turn, id, turnCost) end
    if batch then batch.joined(record, turn) end
    local starts, suspension, steps = countedStart(record, timestamp)
    if suspension then
      --- @include "attempts/resumed"
      steps = resumed(prefix, id, record, suspension, timestamp)
    end
    writeStart(queue, claimant, id, job, starts, token, turn and turn.group or "", counted)
    local started = {markedParent(job, id, record), id}
    if steps and claimant.wantsSteps then
      --- @include "attempts/few-steps"
      started[3] = fewSteps(job, steps, queue.savedSteps[job])
    end
    return started
  end

  local function takeNext(token, ahead)
    while expirable > 0 do
      if claims.isEmpty or (gate or bounds) and isClosed() then return nil end
      if not room then measureRoom() end
      if room <= 0 or bounds and bounds.areFull() or ahead and hasDue then return nil end
      local turn = turns and (batch and batch.turn(turns) or not batch and turns.next())
      -- A call with several jobs may pass over the first that is due.
      if hasDue and (not turns or turn and not turn.job) then
        --- @include "attempts/due"
        moveDueJobsToHead(queue, batch and math.huge or 1)
      end
      local id = ahead or (turn or not turns) and nextId(turn)
      if ahead then
        ahead = nil
        rcall("LPUSH", queue.active, id)
        rcall("XADD", queue.events, "*", "event", "waiting", "jobId", id, "prev", "active")
      end
      if claims.isEmpty or claims.limitedFor > 0 then return nil end
      if not id and batch and turns and turns.next() then return mayNotJoin() end
      if not id then
        --- @include "attempts/nothing-waits"
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
      if turn and not record["err"] then
        --- @include "groups/group-of-record"
        group, cost, isForeign = groupOfRecord(record)
      end
      if group and not turn.job then
        giveUp(id)
        if isForeign then rcall("HSET", job, GROUP, group, GROUP_COST, cost) end
        groupPlaces().waitAgainInGroup(prefix, group, id)
      elseif record["err"] then
        giveUp(id)
        claims.wakes = true
      elseif expires and expires <= tonumber(timestamp) then
        giveUp(id)
        --- @include "attempts/failed-expiry"
        failExpired(queue, id, expires, "waiting")
        -- It may block its group.
        if turns then keepEnded(queue) end
        expirable = expirable - 1
      else
        if expires then startsInTime(prefix, id) end
        return start(id, job, record, token, turn, cost)
      end
    end
    claims.wakes = true
    return nil
  end

  -- Takes the next job. Answers its record, its id and maybe its steps, the id alone of one whose slot is to be
  -- skipped, or nothing.
  --
  -- ahead: the next job where that is known, which is in no list; nothing is taken then where a delayed job goes ahead
  function claims.take(token, ahead)
    if bounds then bounds.token = token end
    local taken = takeNext(token, ahead)
    if bounds and not taken then bounds.gotNothing() end
    return taken
  end

  -- Whether other claimants may get a job as this run did.
  function claims.mayGoOn() return claims.hasTaken and not (bounds and bounds.areWaitedFor()) end

  -- The run takes no further job. Native workers that are there take the next one as well.
  function claims.close()
    if not turns then return end
    if turns.areNativeThere() then turns.stage() end
    turns.write()
  end

  return claims
end
