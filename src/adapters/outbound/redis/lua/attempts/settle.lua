-- In TypeScript: domain/transitions/settle
-- Ends attempts of a queue and takes jobs in their place, in one run for several of them: first all the endings, then
-- all the claims. A test compares the keys and events with those that BullMQ leaves.
--
-- KEYS[1] wait
-- KEYS[2] active
-- KEYS[3] prioritized
-- KEYS[4] events
-- KEYS[5] stalled
-- KEYS[6] delayed
-- KEYS[7] meta
-- KEYS[8] priority counter
-- KEYS[9] marker
-- KEYS[10] completed
-- KEYS[11] failed
-- KEYS[12] limiter
--
-- ARGV[1] the prefix of the queue's keys
-- ARGV[2] timestamp, epoch ms
-- ARGV[3] deadline of the claims, epoch ms of the store
-- ARGV[4] concurrency over all replicas, empty when it has no bound
-- ARGV[5] lock duration in ms
-- ARGV[6] name of the replica
-- ARGV[7] register of queues with pulled jobs, empty unless clients pull the jobs
-- ARGV[8] whether the worker has a breaker: "1" or "0", empty for pulls
-- ARGV[9] limiter of the worker, empty without one: max, duration (ms), as JSON
-- ARGV[10] how many ended jobs are kept unless they say so themselves, empty for all
-- ARGV[11] and for how many seconds, empty for ever
-- ARGV[12] "1" when the holders of the tokens report the endings: then the reports are remembered
-- ARGV[13] what holds for groups without settings, as JSON; empty without
-- ARGV[14] the call that the claims fill, as JSON; empty for a call with one job each
-- ARGV[15] the hooks that each end of a job has to tell, as JSON; empty for none
-- ARGV[16] register of queues with accepted jobs, empty unless clients receive the jobs as messages: then each job is
--   accepted for the lock duration
-- ARGV[17] the names of the limits that the queue shares, as JSON; empty for none
-- ARGV[18] "1" when the claims want the steps of their jobs
-- ARGV[19…] six for each step: the id and the token of the attempt that ended, empty when there is only a claim; the
--   return value, the reason, or the saved steps (in lines, the name and the value of each); the record of the
--   attempt or nothing; the terms of the ending as JSON, nothing for a completion without a verdict; the token to claim
--   with, or nothing
--
-- The terms of an ending: how ("completed", "failed", "retry", "deferred", "saved"), delay (for how many ms a retry or
-- a deferral waits), holdsQueue and holdsGroup (what a deferral holds), place ("ahead" of or "behind" those that wait,
-- where a deferral puts the job in place of where it was taken), half (the job goes back with this half of its
-- call), verdict (that on the call, see attempts/verdict), deadLetters (the queue that gets a copy of a failed job in
-- place of its callback).
--
-- Returns when the next delayed job falls due or 0; for how many ms no job starts or 0; for each step -1 when the
-- attempt had lost its job, 1 when it is done and has no job, the hash and id of the claimed job and its steps where
-- these are few, or 0 and the id of a job whose slot is to be skipped; and, for each effect that others must learn of,
-- the number of its step and the effect: "opened" or "closed" (the breaker), "held" (the queue), "repeated" (the
-- report), "refused" (the steps, and the attempt goes on); then 1 when the claims came after their deadline, else 0.

--- @include "events/keep-events"
--- @include "attempts/ending"
--- @include "attempts/take"

local FIRST, FIELDS, LOST, DONE = 19, 6, -1, 1
local count = (#ARGV - FIRST + 1) / FIELDS
local metadata = rcall("HMGET", KEYS[7],
  "paused", "concurrency", "max", "duration", "opts.maxLenEvents", GATED, GROUPED, LIMITED)
local queue = {
  prefix = ARGV[1], timestamp = ARGV[2], wait = KEYS[1], active = KEYS[2], prioritized = KEYS[3], events = KEYS[4],
  stalled = KEYS[5], delayed = KEYS[6], meta = KEYS[7], priorityCounter = KEYS[8], marker = KEYS[9],
  completed = KEYS[10], failed = KEYS[11], limiter = KEYS[12],
  isPaused = metadata[1], concurrency = tonumber(metadata[2]) or math.huge, max = metadata[3], duration = metadata[4],
  hasGate = metadata[6], isGrouped = metadata[7], hasLimits = metadata[8], groups = ARGV[13], hooks = ARGV[15],
  wantsSteps = ARGV[18] == "1", savedSteps = {},
}
local endings = endingsOf(queue, {count = tonumber(ARGV[10]), age = tonumber(ARGV[11])}, ARGV[12] == "1")

local answers, hasClaims, leavesSlot = {}, false, false
for step = 1, count do
  local at = FIRST + (step - 1) * FIELDS
  answers[step] = DONE
  if ARGV[at] ~= "" and not endings.takeFrom(step, at) then answers[step] = LOST end
  hasClaims = hasClaims or ARGV[at + 5] ~= ""
end
if #endings.released > 0 then
  -- Whether a limiter may have counted the starts of these jobs.
  queue.mayCount = queue.max or queue.hasLimits or queue.isGrouped or ARGV[9] ~= "" or not hasClaims
  -- Whether nothing but the order of the jobs decides which of them a claim takes.
  queue.takesAhead = not (queue.mayCount or queue.hasGate or queue.isPaused or ARGV[14] ~= "" or ARGV[17] ~= "")
  endings.release(metadata[5] or keepEvents(queue.meta))
  for step = 1, count do
    local at = FIRST + (step - 1) * FIELDS
    if ARGV[at] ~= "" and answers[step] == DONE then
      endings.finish(step, unpack(ARGV, at, at + 4))
      leavesSlot = leavesSlot or ARGV[at + 5] == ""
    end
  end
  keepEnded(queue)
  if endings.mayGate then queue.hasGate = rcall("HEXISTS", queue.meta, GATED) == 1 end
elseif hasClaims then
  -- A store without free memory refuses a script that begins with a write that takes some.
  rcall("SREM", queue.stalled, "")
end

local claims, isReceived = {nextAt = 0, limitedFor = 0}, ARGV[16] ~= ""
local function tokenOf(step) return ARGV[FIRST + step * FIELDS - 1] end
if hasClaims then
  claims = claimsOf(queue, {
    deadline = tonumber(ARGV[3]),
    count = count,
    concurrency = tonumber(ARGV[4]) or math.huge,
    lockDuration = isReceived and ARGV[5] + LONGER or ARGV[5],
    replica = ARGV[6],
    groups = ARGV[13],
    pulled = ARGV[7] ~= "",
    hasBreaker = ({["1"] = true, ["0"] = false})[ARGV[8]],
    limiter = ARGV[9] ~= "" and cjson.decode(ARGV[9]) or nil,
    batch = ARGV[14] ~= "" and cjson.decode(ARGV[14]) or nil,
    limits = ARGV[17] ~= "" and ARGV[17] or nil,
    wantsSteps = queue.wantsSteps,
  })
  for step = 1, count do
    local token, ahead = tokenOf(step), endings.ahead[step]
    local mayTake = token ~= "" and answers[step] == DONE
    local taken = mayTake and ahead and claims.take(token, ahead)
    if ahead and not taken then endings.waitAhead(ahead) end
    if mayTake then answers[step] = taken or claims.take(token) or DONE end
  end
  claims.close()
  keepEnded(queue)
end

offerFreedRoom(queue.prefix)

if claims.hasTaken and ARGV[7] ~= "" then
  local name = string.match(queue.meta, "^[^:]*:(.*):meta$")
  rcall("SADD", ARGV[7], name)
  if isReceived then
    --- @include "attempts/received"
    acceptReceived(queue, name, ARGV[16], answers, tokenOf, ARGV[5])
  end
end
if claims.hasTaken and claims.mayGoOn() or claims.wakes or endings.frees or endings.hasFinished and leavesSlot or
    endings.hasWaiting and not queue.isPaused and rcall("LLEN", queue.active) < queue.concurrency then
  rcall("ZADD", queue.marker, 0, "0")
end
if endings.hasDelayed and not claims.hasTaken then
  --- @include "bullmq/getNextDelayedTimestamp"
  local nextAt = getNextDelayedTimestamp(queue.delayed)
  if nextAt then rcall("ZADD", queue.marker, nextAt, "1") end
end
if endings.hasFinished and not claims.hasTaken and rcall("LLEN", queue.wait) == 0 and
    not (queue.isGrouped and rcall("EXISTS", queue.prefix .. GROUP_WAITING) == 1) and
    rcall("LLEN", queue.active) == 0 and
    -- Not yet where a claim beside the endings can have a delayed job later.
    rcall("ZCARD", queue.prioritized) == 0 and (leavesSlot or rcall("EXISTS", queue.delayed) == 0) then
  rcall("XADD", queue.events, "*", "event", "drained")
end
if queue.isGrouped and endings.hasFinished then groupPlaces().forgetTurns(queue.prefix) end
return {claims.nextAt, claims.limitedFor, answers, endings.effects, claims.isLate and 1 or 0}
