import { addJobScheduler } from 'bullmq/dist/cjs/scripts/index.js';
import { libraryFunctions, REMOVING_A_JOB } from '../attempts/library-functions.ts';
import { EVENTS_KEPT } from '../layout/events-kept.ts';
import type { QueueKeys } from '../layout/queue-keys.ts';
import { LAST, PAUSED } from '../layout/scheduler-fields.ts';

const ADDING_A_JOB = [
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

/** The keys of the scripts that begin with `PLANNING`. */
export function planningKeys(keys: QueueKeys): readonly string[] {
  return [
    ...[keys.repeat, keys.delayed, keys.wait, keys.paused, keys.meta, keys.prioritized],
    ...[keys.marker, keys.events, keys.priorityCounter, keys.active],
  ];
}

export const PLANNING_KEYS = 10;

/** What `plan` answers, and the scripts with it, when the slot has a job already. */
export const SLOT_IS_TAKEN = -1;

/**
 * Lua: the common part of the scripts that plan or remove the jobs of a scheduler. KEYS: `planningKeys`. ARGV: the
 * scheduler, job key prefix, the slot of the next job or nothing, the time, the delay of that job and its packed
 * options.
 *
 * The consumer that starts a job, even a native worker, plans the next one if the slot of the scheduler is that of the
 * job. The slot of a paused scheduler is therefore half a millisecond later, where no job is, and all readers round it.
 */
export const PLANNING = `
local rcall = redis.call
${libraryFunctions(addJobScheduler.content, [...REMOVING_A_JOB, ...ADDING_A_JOB])}
local schedulers, delayed, wait, paused, meta, prioritized, marker, events, priorityCounter, active =
  KEYS[1], KEYS[2], KEYS[3], KEYS[4], KEYS[5], KEYS[6], KEYS[7], KEYS[8], KEYS[9], KEYS[10]
local id, prefix, slot = ARGV[1], ARGV[2], ARGV[3]
local record = schedulers .. ":" .. id

local function jobIdOf(slot) return "repeat:" .. id .. ":" .. slot end
local function pausedScore(slot) return string.match(slot, "^%d+") .. ".5" end
local function maxEvents() return rcall("HGET", meta, "opts.maxLenEvents") or "${EVENTS_KEPT}" end
local function isPaused() return rcall("HEXISTS", record, "${PAUSED}") == 1 end
-- Native workers note that only in the job.
local function hasStarted(jobId)
  return rcall("HGET", record, "${LAST}") == jobId or rcall("HEXISTS", prefix .. jobId, "processedOn") == 1
end
local function isTaken(slot)
  return rcall("HGET", record, "${LAST}") == jobIdOf(slot) or rcall("EXISTS", record .. ":" .. slot) == 1
end

-- Takes a job away that has not started, and maybe only if it is delayed.
local function withdraw(jobId, ifDelayed)
  if rcall("EXISTS", prefix .. jobId) == 0 or hasStarted(jobId) then return false end
  local prev = "delayed"
  if rcall("ZREM", delayed, jobId) == 0 then
    if ifDelayed then return false end
    prev = "waiting"
    if rcall("ZREM", prioritized, jobId) + rcall("LREM", wait, -1, jobId) + rcall("LREM", paused, -1, jobId) == 0 then
      return false
    end
  end
  removeJob(jobId, true, prefix, true)
  rcall("XADD", events, "MAXLEN", "~", maxEvents(), "*", "event", "removed", "jobId", jobId, "prev", prev)
  return true
end

local function plan()
  rcall("ZADD", schedulers, slot, id)
  local fields = rcall("HMGET", record, "name", "data")
  addJobFromScheduler(record .. ":" .. slot, jobIdOf(slot), cmsgpack.unpack(ARGV[6]), wait, paused, active, meta,
    prioritized, priorityCounter, delayed, marker, events, fields[1] or "", maxEvents(), tonumber(ARGV[4]),
    fields[2] or "{}", id, tonumber(ARGV[5]))
end
`;
