import type { Script } from '../connection/scripts.ts';
import { PLANNING, PLANNING_KEYS, SLOT_IS_TAKEN } from './planning-lua.ts';
import { LAST, LAST_ENDED, PAUSED } from '../layout/scheduler-fields.ts';

/** The answer of a script that stores a scheduler when there are already as many as allowed. */
export const TOO_MANY = -2;

/**
 * Stores a scheduler in place of an existing one, and removes the next job of that; when the new one is paused, only a
 * delayed one. KEYS: `planningKeys`. ARGV: those of `PLANNING`; how many schedulers there may be; the fields of the
 * record with their values. Returns SLOT_IS_TAKEN when the slot has a job of the other one, or TOO_MANY, and then
 * changes nothing.
 */
export const storeSchedulerScript: Script = {
  name: 'storeScheduler',
  numberOfKeys: PLANNING_KEYS,
  lua: `
${PLANNING}
local fields = {unpack(ARGV, 8)}
local pauses = false
for index = 1, #fields, 2 do pauses = pauses or fields[index] == "${PAUSED}" end
local score = rcall("ZSCORE", schedulers, id)
if not score and rcall("ZCARD", schedulers) >= tonumber(ARGV[7]) then return ${TOO_MANY} end
local nextId = score and not isPaused() and jobIdOf(score)
local isFreed = nextId and nextId == jobIdOf(slot) and not hasStarted(nextId)
if not pauses and slot ~= "" and isTaken(slot) and not isFreed then return ${SLOT_IS_TAKEN} end
if nextId then withdraw(nextId, pauses) end
local kept = rcall("HMGET", record, "ic", "${LAST}", "${LAST_ENDED}")
rcall("DEL", record)
rcall("HSET", record, "ic", kept[1] or 1, unpack(fields))
if kept[2] then rcall("HSET", record, "${LAST}", kept[2]) end
if kept[3] then rcall("HSET", record, "${LAST_ENDED}", kept[3]) end
if slot == "" then
  rcall("ZADD", schedulers, score or 0, id)
elseif pauses then
  rcall("ZADD", schedulers, pausedScore(slot), id)
else
  plan()
end
return 1
`,
};

/**
 * Pauses a scheduler and removes its next job if that is delayed. KEYS: `planningKeys`. ARGV: those of `PLANNING`
 * without a job to come; a slot, and the one after it or nothing. Answers 0 when there is no such scheduler, 1 when it
 * is paused. When its next job has started or is due, and its slot is another one, the answer is a list of that slot
 * and the record, and nothing is done.
 */
export const pauseSchedulerScript: Script = {
  name: 'pauseScheduler',
  numberOfKeys: PLANNING_KEYS,
  lua: `
${PLANNING}
local following = ARGV[8]
local slot = rcall("ZSCORE", schedulers, id)
if not slot or rcall("HEXISTS", record, "ic") == 0 then return 0 end
if isPaused() then return 1 end
local jobId = jobIdOf(slot)
local isRead, opts = pcall(cjson.decode, rcall("HGET", prefix .. jobId, "opts") or "")
local repetition = isRead and type(opts) == "table" and opts["repeat"]
local count = type(repetition) == "table" and tonumber(repetition["count"])
local planned = ""
if withdraw(jobId, true) then
  planned = slot .. ":" .. (count or 1)
elseif ARGV[7] ~= slot then
  return {slot, rcall("HGETALL", record)}
-- The job that made no next one is the last, and may be gone.
elseif count and following ~= "" and count < (tonumber(rcall("HGET", record, "limit")) or math.huge) then
  slot, planned = following, following .. ":" .. count + 1
end
rcall("HSET", record, "${PAUSED}", planned)
rcall("ZADD", schedulers, pausedScore(slot), id)
return 1
`,
};

/**
 * Lets a paused scheduler go on. KEYS: `planningKeys`. ARGV: those of `PLANNING`; what the field of its pause says.
 * Answers 0 when the field says something else, SLOT_IS_TAKEN, or 1.
 */
export const resumeSchedulerScript: Script = {
  name: 'resumeScheduler',
  numberOfKeys: PLANNING_KEYS,
  lua: `
${PLANNING}
if rcall("HGET", record, "${PAUSED}") ~= ARGV[7] then return 0 end
if slot ~= "" and isTaken(slot) then return ${SLOT_IS_TAKEN} end
rcall("HDEL", record, "${PAUSED}")
if slot == "" then return 1 end
rcall("HINCRBY", record, "ic", 1)
plan()
return 1
`,
};

/**
 * Removes a scheduler and, if that is delayed, its next job. KEYS: `planningKeys`. ARGV: those of `PLANNING` without a
 * job to come. Answers 1, or 0 when there was none.
 */
export const removeSchedulerScript: Script = {
  name: 'removeScheduler',
  numberOfKeys: PLANNING_KEYS,
  lua: `
${PLANNING}
local score = rcall("ZSCORE", schedulers, id)
if not score then return 0 end
withdraw(jobIdOf(score), true)
rcall("ZREM", schedulers, id)
rcall("DEL", record)
return 1
`,
};
