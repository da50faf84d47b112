-- Pauses a scheduler and removes its next job if that is delayed. Returns 0 when there is no such scheduler, 1 when it
-- is paused. When its next job has started or is due, and its slot is another one than that of the arguments, it
-- returns that slot and the record, and does nothing.
--
-- expected: slot that it is expected to have
-- following: the slot after that, empty for none
-- stop: who pauses it, as JSON; empty when that is not known
--- @include "reading/decoded"
--- @include "adds/planning"
--- @include "attempts/later-stop"

local scheduler = schedulerNamed(prefix, id)
local record = scheduler.record
local slot = rcall("ZSCORE", scheduler.schedulers, scheduler.id)
if not slot or rcall("HEXISTS", record, "ic") == 0 then return 0 end
local wasPaused = isPaused(scheduler)
if wasPaused and isLaterStop(rcall("HGET", record, STOP), stop) then rcall("HSET", record, STOP, stop) end
if wasPaused then return 1 end
local jobId = jobIdOf(scheduler, slot)
local repetition = decoded(rcall("HGET", scheduler.prefix .. jobId, "opts"))["repeat"]
local count = type(repetition) == "table" and tonumber(repetition["count"])
local planned = ""
if withdraw(scheduler, jobId, true) then
  planned = slot .. ":" .. (count or 1)
elseif expected ~= slot then
  return {slot, rcall("HGETALL", record)}
-- The job that made no next one is the last, and may be gone.
elseif count and following ~= "" and count < (tonumber(rcall("HGET", record, "limit")) or math.huge) then
  slot, planned = following, following .. ":" .. count + 1
end
rcall("HSET", record, PAUSED, planned)
if stop ~= "" then rcall("HSET", record, STOP, stop) else rcall("HDEL", record, STOP) end
rcall("ZADD", scheduler.schedulers, pausedScore(slot), scheduler.id)
return 1
