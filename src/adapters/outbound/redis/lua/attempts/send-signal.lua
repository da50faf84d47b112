-- In TypeScript: domain/transitions/signals
-- Gives a signal to jobs that wait for it, those that wait longest first. Returns to how many, how many it looked at,
-- and up to which it is to look: a job that is woken and waits again is behind that one.
--
-- body: as JSON
-- last: what the run before returned, empty for the first
--- @include "attempts/steps"
--- @include "attempts/waits"
--- @include "bullmq/getDelayedScore"
--- @include "groups/group-places"

local waits, time = prefix .. SIGNAL_WAITS, tonumber(now)

-- Moves a suspended job to when the rest of what it awaits is over, as far as that is known.
local function reschedule(id, awaited)
  local dueAt = time
  for _, each in ipairs(awaited) do dueAt = math.max(dueAt, each["until"] or NEVER) end
  local score = getDelayedScore(delayed, time, dueAt - time)
  rcall("ZADD", delayed, score, id)
  rcall("HSET", prefix .. id, "delay", dueAt - time)
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

if last == "" then last = rcall("ZREVRANGEBYLEX", waits, "(" .. key .. "!", "[" .. key .. " ", "LIMIT", 0, 1)[1] end
if not last then return {0, 0, ""} end
local found, woken = rcall("ZRANGEBYLEX", waits, "[" .. key .. " ", "[" .. last, "LIMIT", 0, most), 0
for _, member in ipairs(found) do
  rcall("ZREM", waits, member)
  if give(member) then woken = woken + 1 end
end
leaveSignal(prefix, key)
if woken > 0 then rcall("ZADD", marker, 0, "0") end
return {woken, #found, last}
