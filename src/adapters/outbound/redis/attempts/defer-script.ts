import { moveJobFromActiveToWait, moveToDelayed } from 'bullmq/dist/cjs/scripts/index.js';
import type { Script } from '../connection/scripts.ts';
import { EVENTS_KEPT } from '../layout/events-kept.ts';
import { HOLD, STORE_TIME } from '../gate/gate-lua.ts';
import { ATTEMPT_FIELDS } from './attempt-fields.ts';
import { RECORD_ATTEMPT } from './attempt-record-lua.ts';
import { HOLDS } from './attempt-token.ts';
import { libraryFunctions } from './library-functions.ts';
import { PUT_BACK } from './put-back-lua.ts';

/** The field of a job's hash that counts how often it was deferred since it was added or last retried by hand. */
export const DEFERRALS = 'jobgate:deferrals';

/** The functions with which the library puts a job back or delays it. */
const RETURNING = ['addBaseMarkerIfNeeded', 'isQueuePausedOrMaxed'];
const DELAYING = ['getNextDelayedTimestamp', 'addDelayMarkerIfNeeded', 'getDelayedScore'];

/** The answer when the attempt has lost its job. */
export const LOST = -1;

/**
 * Ends an attempt that does not count: puts its job back where it was taken, or delays it alone. The same step holds
 * its queue on request. The events are those of a job that native clients put back or delay.
 *
 * KEYS: active, wait, prioritized, delayed, events, metadata, stalled, marker, job. ARGV: what stands
 * before the queue's keys, timestamp, the job's id, token, the record of the attempt, for how many ms, and whether
 * the "queue" or the "job" waits. Returns 1 when a hold of the queue begins, else 0, or LOST.
 *
 * The first write takes no memory: a store without free memory refuses a script that begins with any other.
 *
 * @throws Error when the installed BullMQ is not the version that the script was tested with.
 */
export function deferScript(): Script {
  return {
    name: 'defer',
    numberOfKeys: 9,
    lua: `
local active, wait, prioritized, delayed, events, meta, stalled, marker, job =
  KEYS[1], KEYS[2], KEYS[3], KEYS[4], KEYS[5], KEYS[6], KEYS[7], KEYS[8], KEYS[9]
local prefix, timestamp, id, token, call, duration, scope =
  ARGV[1], ARGV[2], ARGV[3], ARGV[4], ARGV[5], tonumber(ARGV[6]), ARGV[7]
local rcall = redis.call
${HOLDS}${RECORD_ATTEMPT}${STORE_TIME}${HOLD}${PUT_BACK}
${libraryFunctions(moveJobFromActiveToWait.content, RETURNING)}
${libraryFunctions(moveToDelayed.content, DELAYING)}

if rcall("EXISTS", job) == 0 or not holds(job, id, active, token) or not rcall("LPOS", active, id) then
  return ${LOST}
end
rcall("DEL", job .. ":lock")
rcall("SREM", stalled, id)
recordAttempt(job, timestamp, call)
rcall("HDEL", job, ${ATTEMPT_FIELDS})
rcall("HINCRBY", job, "${DEFERRALS}", 1)

local maxEvents = rcall("HGET", meta, "opts.maxLenEvents") or "${EVENTS_KEPT}"
local function tell(...) rcall("XADD", events, "MAXLEN", "~", maxEvents, "*", "jobId", id, "event", ...) end
tell("deferred")
local begins = false
if scope == "queue" and duration > 0 then begins = select(2, hold(prefix, duration)) end
if scope == "job" and duration > 0 then
  rcall("LREM", active, -1, id)
  local score, dueAt = getDelayedScore(delayed, timestamp, duration)
  rcall("HSET", job, "delay", duration)
  rcall("ZADD", delayed, score, id)
  tell("delayed", "delay", dueAt)
  addDelayMarkerIfNeeded(marker, delayed)
else
  local number = numbered(prefix, active, id)
  rcall("LREM", active, -1, id)
  putBack(prefix, wait, prioritized, id, number)
  tell("waiting", "prev", "active")
  addBaseMarkerIfNeeded(marker, isQueuePausedOrMaxed(meta, active))
end
return begins and 1 or 0
`,
  };
}
