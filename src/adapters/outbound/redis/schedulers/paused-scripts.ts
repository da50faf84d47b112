import { addJobScheduler } from 'bullmq/dist/cjs/scripts/index.js';
import { libraryFunctions, REMOVING_A_JOB } from '../attempts/library-functions.ts';
import type { Script } from '../connection/scripts.ts';
import { EVENTS_KEPT } from '../layout/events-kept.ts';
import { LAST } from './scheduler-scripts.ts';

/**
 * The field of the record of a paused scheduler: the slot that it goes on from and the number of its job, with a
 * colon between them; empty when it makes no further one. Native clients pass over it.
 */
export const PAUSED = 'jobgate:paused';

const ADDING_A_JOB = [
  'addBaseMarkerIfNeeded',
  'isQueuePausedOrMaxed',
  'addJobInTargetList',
  'getNextDelayedTimestamp',
  'addDelayMarkerIfNeeded',
  'getDelayedScore',
  'addDelayedJob',
  'getPriorityScore',
  'addJobWithPriority',
  'storeJob',
  'storeAndEnqueueJob',
  'addJobFromScheduler',
];

/**
 * Whoever starts a job plans the next one if the slot of the scheduler is that of the job, native workers too. So
 * that of a paused one lies half a millisecond behind, where no job is, and is rounded by all who read it.
 */
const PAUSING = `
local rcall = redis.call
${libraryFunctions(addJobScheduler.content, REMOVING_A_JOB)}
local function withdraw(delayed, events, prefix, jobId)
  if rcall("ZREM", delayed, jobId) == 0 then return false end
  removeJob(jobId, true, prefix, true)
  rcall("XADD", events, "MAXLEN", "~", ${EVENTS_KEPT}, "*", "event", "removed", "jobId", jobId, "prev", "delayed")
  return true
end
local function pausedScore(slot) return string.match(slot, "^%d+") .. ".5" end
`;

/**
 * Pauses a scheduler, whose next job it removes if that is delayed. KEYS: the schedulers, delayed, events. ARGV: the
 * scheduler, job key prefix, a slot, the one after it or nothing. Answers 0 when there is no such scheduler, 1 when
 * it is paused. When its next job has started or is due, and its slot is another one, the answer is a list of that
 * slot and the record, and nothing is done.
 */
export const pauseSchedulerScript: Script = {
  name: 'pauseScheduler',
  numberOfKeys: 3,
  lua: `
${PAUSING}
local schedulers, id, prefix, following = KEYS[1], ARGV[1], ARGV[2], ARGV[4]
local record = schedulers .. ":" .. id
local slot = rcall("ZSCORE", schedulers, id)
if not slot or rcall("HEXISTS", record, "ic") == 0 then return 0 end
if rcall("HEXISTS", record, "${PAUSED}") == 1 then return 1 end
local jobId = "repeat:" .. id .. ":" .. slot
local isRead, opts = pcall(cjson.decode, rcall("HGET", prefix .. jobId, "opts") or "")
local repetition = isRead and type(opts) == "table" and opts["repeat"]
local count = type(repetition) == "table" and tonumber(repetition["count"])
local planned = ""
if withdraw(KEYS[2], KEYS[3], prefix, jobId) then
  planned = slot .. ":" .. (count or 1)
elseif ARGV[3] ~= slot then
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
 * Stores a scheduler as paused in place of any other, whose next job it removes if that is delayed. KEYS: as of
 * `pauseSchedulerScript`. ARGV: the scheduler, job key prefix, its first slot, the fields of the record with their
 * values.
 */
export const storePausedScript: Script = {
  name: 'storePausedScheduler',
  numberOfKeys: 3,
  lua: `
${PAUSING}
local schedulers, id, slot = KEYS[1], ARGV[1], ARGV[3]
local record = schedulers .. ":" .. id
local before = rcall("ZSCORE", schedulers, id)
if before then withdraw(KEYS[2], KEYS[3], ARGV[2], "repeat:" .. id .. ":" .. before) end
local kept = rcall("HMGET", record, "ic", "${LAST}")
rcall("DEL", record)
rcall("HSET", record, "ic", kept[1] or 1, "${PAUSED}", slot .. ":1", unpack(ARGV, 4))
if kept[2] then rcall("HSET", record, "${LAST}", kept[2]) end
rcall("ZADD", schedulers, pausedScore(slot), id)
`,
};

/**
 * Lets a paused scheduler go on. KEYS: the schedulers, delayed, wait, paused, metadata, prioritized, marker, events,
 * priority counter, active. ARGV: the scheduler, what the field of its pause says, the slot of its next job, or
 * nothing if there is none, the time, the delay and the packed options of that job. Answers 0 when the field says
 * something else, -1 when the slot has a job, else 1.
 */
export const resumeSchedulerScript: Script = {
  name: 'resumeScheduler',
  numberOfKeys: 10,
  lua: `
local rcall = redis.call
${libraryFunctions(addJobScheduler.content, ADDING_A_JOB)}
local schedulers, id, slot = KEYS[1], ARGV[1], ARGV[3]
local record = schedulers .. ":" .. id
if rcall("HGET", record, "${PAUSED}") ~= ARGV[2] then return 0 end
local job = record .. ":" .. slot
if slot ~= "" and rcall("EXISTS", job) == 1 then return -1 end
rcall("HDEL", record, "${PAUSED}")
if slot == "" then return 1 end
rcall("ZADD", schedulers, slot, id)
rcall("HINCRBY", record, "ic", 1)
local fields = rcall("HMGET", record, "name", "data")
addJobFromScheduler(job, "repeat:" .. id .. ":" .. slot, cmsgpack.unpack(ARGV[6]), KEYS[3], KEYS[4], KEYS[10], KEYS[5],
  KEYS[6], KEYS[9], KEYS[2], KEYS[7], KEYS[8], fields[1] or "", ${EVENTS_KEPT}, tonumber(ARGV[4]), fields[2] or "{}", id,
  tonumber(ARGV[5]))
return 1
`,
};
