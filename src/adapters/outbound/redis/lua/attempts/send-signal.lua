-- In TypeScript: domain/transitions/signals
-- Gives a signal to jobs that wait for it, those that wait longest first, and to many in several runs. Returns to how
-- many so far, how many this run looked at, and up to which the next is to look: a job that is woken and waits again is
-- behind that one. For the key of a request that is known it does nothing, and returns "repeated" with its answer, or
-- "other"; "full" when the queue keeps as many other signals as it may.
--
-- body: as JSON
-- till: until when it is kept, in epoch ms; empty when it is not
-- record, digest: where a request that may be repeated is remembered, and the digest of its body; empty for any other
-- last, woken: what the run before returned, empty and 0 for the first
--- @include "adds/created-queue"
--- @include "adds/recalled-add"
--- @include "adds/remembered-add"
--- @include "attempts/steps"
--- @include "attempts/waits"
--- @include "bullmq/getDelayedScore"
--- @include "groups/group-places"

local waits, time = prefix .. SIGNAL_WAITS, tonumber(now)

-- Keeps the signal for waits that begin before a time, in place of one of the same key.
local function keep()
  forgetKept(prefix, now)
  local kept = prefix .. SIGNALS_KEPT
  if not rcall("ZSCORE", kept, key) and rcall("ZCARD", kept) >= MOST_KEPT_SIGNALS then return false end
  createQueue(registry, meta)
  rcall("ZADD", kept, till, key)
  rcall("HSET", prefix .. SIGNAL_BODIES, key, body)
  rcall("ZADD", prefix .. SIGNALS, 0, key)
  return true
end

-- Moves a suspended job to when the rest of what it awaits is over; one that waits as long as it takes has no delay.
local function reschedule(id, awaited)
  local dueAt = time
  for _, each in ipairs(awaited) do dueAt = math.max(dueAt, each["until"] or NEVER) end
  local score = getDelayedScore(delayed, time, dueAt - time)
  rcall("ZADD", delayed, score, id)
  rcall("HSET", prefix .. id, "delay", dueAt < NEVER and dueAt - time or 0)
  local group = rcall("HGET", prefix .. id, GROUP)
  if group then groupPlaces().freePlace(prefix, group) end
end

-- Returns whether the job waited for the signal: its timeout may have passed, or it is suspended no more.
local function give(member)
  local suspension, id = suspensionOf(prefix, member)
  if not suspension then return false end
  local steps, awaited, isGiven = stepsOf(prefix .. id), {}, false
  for _, each in ipairs(suspension.waits) do
    if each.key == key and (each["until"] or NEVER) > time then
      isGiven = true
      countStep(steps, each.name, #body)
      putStep(steps, each.name, STEP_OF_SIGNAL, time, body)
    else
      awaited[#awaited + 1] = each
    end
  end
  if not isGiven then return false end
  writeSteps(steps)
  suspension.waits = awaited
  rcall("HSET", prefix .. id, SUSPENSION, cjson.encode(suspension))
  if rcall("ZSCORE", delayed, id) then reschedule(id, awaited) end
  return true
end

rcall("LLEN", idempotency)
if last == "" then
  local known = digest ~= "" and recall(record, digest)
  if known then return known[1] == "repeated" and {"repeated", known[3]} or {"other"} end
  if till ~= "" and not keep() then return {"full"} end
  last = rcall("ZREVRANGEBYLEX", waits, "(" .. key .. "!", "[" .. key .. " ", "LIMIT", 0, 1)[1]
end
local found, before = {}, woken
if last then found = rcall("ZRANGEBYLEX", waits, "[" .. key .. " ", "[" .. last, "LIMIT", 0, most) end
for _, member in ipairs(found) do
  rcall("ZREM", waits, member)
  if give(member) then woken = woken + 1 end
end
if last then leaveSignal(prefix, key) end
if woken > before then rcall("ZADD", marker, 0, "0") end
-- The run that wakes the last ones remembers the signal, in a queue that exists.
if #found < most and digest ~= "" and rcall("EXISTS", meta) == 1 then
  remember(record, idempotency, digest, "{}", now, string.format("%.0f", woken), {})
end
return {woken, #found, last or ""}
