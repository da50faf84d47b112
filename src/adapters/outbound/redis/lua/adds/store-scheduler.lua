-- Stores a scheduler in place of an existing one, and removes the next job of that; when the new one is paused, only a
-- delayed one. Returns 1, or SLOT_IS_TAKEN when the slot has a job of the other one, or TOO_MANY; these change nothing.
--
-- slot: slot of the job to come, empty for none
-- options: its options as JSON
-- most: how many schedulers there may be
-- REST: fields of the record, each with its value
--- @include "adds/planning"

local scheduler = schedulerNamed(prefix, id)
local fields, pauses = {unpack(ARGV, REST)}, false
for index = 1, #fields, 2 do pauses = pauses or fields[index] == PAUSED end

local record = scheduler.record
local score = rcall("ZSCORE", schedulers, id)
if not score and rcall("ZCARD", schedulers) >= most then return TOO_MANY end
local nextId = score and not isPaused(scheduler) and jobIdOf(scheduler, score)
local isFreed = nextId and nextId == jobIdOf(scheduler, slot) and not isPast(scheduler.prefix, scheduler.id, nextId)
if not pauses and slot ~= "" and isTaken(scheduler, slot) and not isFreed then return SLOT_IS_TAKEN end
if nextId then withdraw(scheduler, nextId, pauses) end
local kept = rcall("HMGET", record, "ic", LAST, LAST_ENDED, RUN_BY_HAND)
rcall("DEL", record)
rcall("HSET", record, "ic", kept[1] or 1, unpack(fields))
if kept[2] then rcall("HSET", record, LAST, kept[2]) end
if kept[3] then rcall("HSET", record, LAST_ENDED, kept[3]) end
if kept[4] then rcall("HSET", record, RUN_BY_HAND, kept[4]) end
if slot == "" then
  rcall("ZADD", schedulers, score or 0, id)
elseif pauses then
  rcall("ZADD", schedulers, pausedScore(slot), id)
else
  plan(scheduler, slot, timestamp, delay, options)
end
return 1
