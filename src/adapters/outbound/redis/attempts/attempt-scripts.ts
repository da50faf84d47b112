import { KEPT_LOG_LINES } from '../../../../domain/jobs/job-options.ts';
import { MAX_EVENT_VALUE } from '../../../../domain/events/queue-event.ts';
import type { Script } from '../connection/scripts.ts';
import { LEFT_OUT } from '../events/event-values.ts';
import { MARKED_PARENT } from '../flows/parent-mark.ts';
import { HOLDS } from './attempt-token.ts';
import { EVENTS_KEPT } from '../layout/events-kept.ts';

/*
 * The operations of a running attempt other than its ending. The check of its token and the write are one step: a token
 * is invalid from the moment that its attempt has ended or lost its job.
 */

/**
 * KEYS: stalled, active. ARGV: job key prefix, duration in ms; then of each attempt the job's id and the
 * token. Returns the positions, from 1, of those that had lost their jobs.
 */
export const renewLocksScript: Script = {
  name: 'renewLocks',
  numberOfKeys: 2,
  lua: `
${HOLDS}
local lost = {}
for index = 3, #ARGV, 2 do
  local id, token = ARGV[index], ARGV[index + 1]
  local job = ARGV[1] .. id
  if holds(job, id, KEYS[2], token) then
    -- The write that takes no memory goes first, or a store whose memory is used up refuses both.
    redis.call("SREM", KEYS[1], id)
    redis.call("SET", job .. ":lock", token, "PX", ARGV[2])
  else
    table.insert(lost, (index - 1) / 2)
  end
end
return lost
`,
};

/** KEYS: job, active. ARGV: token, job id. Returns 1 when the attempt holds the job, else 0. */
export const holdsJobScript: Script = {
  name: 'holdsJob',
  numberOfKeys: 2,
  lua: `
${HOLDS}
return redis.call("EXISTS", KEYS[1]) == 1 and holds(KEYS[1], ARGV[2], KEYS[2], ARGV[1]) and 1 or 0
`,
};

/**
 * Finds the job of a claim that never got its answer. KEYS: active. ARGV: job key prefix, token.
 * Returns the job's hash and id as a claim does, or nothing.
 */
export const findClaimedScript: Script = {
  name: 'findClaimed',
  numberOfKeys: 1,
  lua: `
${HOLDS}
${MARKED_PARENT}
for _, id in ipairs(redis.call("LRANGE", KEYS[1], 0, -1)) do
  if holds(ARGV[1] .. id, id, KEYS[1], ARGV[2]) then
    local record = redis.pcall("HGETALL", ARGV[1] .. id)
    if not record["err"] then return {markedParent(ARGV[1] .. id, id, record), id, 0, 0} end
  end
end
return false
`,
};

/** KEYS: job, active, events, meta. ARGV: token, job id, progress as JSON. Returns 1, or 0 if refused. */
export const reportProgressScript: Script = {
  name: 'reportProgress',
  numberOfKeys: 4,
  lua: `
${HOLDS}
if redis.call("EXISTS", KEYS[1]) == 0 or not holds(KEYS[1], ARGV[2], KEYS[2], ARGV[1]) then return 0 end
local maxEvents = redis.call("HGET", KEYS[4], "opts.maxLenEvents") or "${EVENTS_KEPT}"
redis.call("HSET", KEYS[1], "progress", ARGV[3])
local told = #ARGV[3] > ${MAX_EVENT_VALUE} and "${LEFT_OUT}" or ARGV[3]
redis.call("XADD", KEYS[3], "MAXLEN", "~", maxEvents, "*", "event", "progress", "jobId", ARGV[2], "data", told)
return 1
`,
};

/**
 * KEYS: job, active, logs, events, meta. ARGV: token, job id, line, as much of it as an event carries. Returns 1, or
 * 0 if refused. Native producers may limit how many lines their job keeps.
 */
export const addLogScript: Script = {
  name: 'addLog',
  numberOfKeys: 5,
  lua: `
${HOLDS}
if redis.call("EXISTS", KEYS[1]) == 0 or not holds(KEYS[1], ARGV[2], KEYS[2], ARGV[1]) then return 0 end
redis.call("RPUSH", KEYS[3], ARGV[3])
local opts = redis.call("HGET", KEYS[1], "opts")
local decoded, options = pcall(cjson.decode, opts or "{}")
local keep = decoded and type(options) == "table" and tonumber(options["kl"])
keep = keep and keep >= 1 and math.min(math.floor(keep), 2 ^ 53) or ${KEPT_LOG_LINES}
redis.call("LTRIM", KEYS[3], string.format("%.0f", -keep), -1)
local maxEvents = redis.call("HGET", KEYS[5], "opts.maxLenEvents") or "${EVENTS_KEPT}"
redis.call("XADD", KEYS[4], "MAXLEN", "~", maxEvents, "*", "event", "log", "jobId", ARGV[2], "line", ARGV[4])
return 1
`,
};
