import { KEPT_LOG_LINES, type Job } from '../../../../domain/job.ts';
import type { Script } from '../connection/scripts.ts';

/*
 * What a running attempt may write about itself. The job's lock holds the attempt's token, so the
 * check and the write are one step: a token is dead from the moment that its lock is gone.
 */

/**
 * A lock may run out while its attempt goes on, since nobody can renew it when the store is away. The
 * attempt holds its job all the same as long as the job is active and was not started anew. All
 * parameters are Lua expressions; `start` is two, how often and when the job was started.
 */
export function holdsWithoutLock(
  jobKey: string,
  jobId: string,
  active: string,
  start: readonly [string, string],
): string {
  return (
    `redis.call("HGET", ${jobKey}, "ats") == ${start[0]} and ` +
    `redis.call("HGET", ${jobKey}, "processedOn") == ${start[1]} and ` +
    `redis.call("LPOS", ${active}, ${jobId})`
  );
}

/** Which start of the job the attempt is, as the scripts take it in their last arguments. */
export function startOf({ attemptsStarted, processedOn = 0 }: Job): readonly [number, number] {
  return [attemptsStarted, processedOn];
}

/**
 * KEYS: stalled, active. ARGV: job key prefix, duration in ms; then of each attempt the job's id, the
 * token and the start. Answers the ids of those that had lost their jobs.
 */
export const extendLocksScript: Script = {
  name: 'extendLocks',
  numberOfKeys: 2,
  lua: `
local lost = {}
for index = 3, #ARGV, 4 do
  local id, token, times, time = ARGV[index], ARGV[index + 1], ARGV[index + 2], ARGV[index + 3]
  local job = ARGV[1] .. id
  local holder = redis.call("GET", job .. ":lock")
  if holder == token or (not holder and ${holdsWithoutLock('job', 'id', 'KEYS[2]', ['times', 'time'])}) then
    -- The write that takes no memory goes first, or a store whose memory is used up refuses both.
    redis.call("SREM", KEYS[1], id)
    redis.call("SET", job .. ":lock", token, "PX", ARGV[2])
  else
    table.insert(lost, id)
  end
end
return lost
`,
};

/**
 * The events of a queue are kept whatever becomes of its jobs, so they carry no longer value, in bytes.
 * The job has it all the same. BullMQ's own clients parse what an event carries: it stays valid JSON.
 */
export const MAX_EVENT_VALUE = 1024;

/** KEYS: job, lock, events, meta. ARGV: token, job id, progress as JSON. Answers 1, or 0 if refused. */
export const updateProgressScript: Script = {
  name: 'updateProgress',
  numberOfKeys: 4,
  lua: `
if redis.call("GET", KEYS[2]) ~= ARGV[1] or redis.call("EXISTS", KEYS[1]) == 0 then return 0 end
local maxEvents = redis.call("HGET", KEYS[4], "opts.maxLenEvents") or "10000"
redis.call("HSET", KEYS[1], "progress", ARGV[3])
local told = #ARGV[3] > ${MAX_EVENT_VALUE} and "null" or ARGV[3]
redis.call("XADD", KEYS[3], "MAXLEN", "~", maxEvents, "*", "event", "progress", "jobId", ARGV[2], "data", told)
return 1
`,
};

/**
 * KEYS: job, lock, logs. ARGV: token, line. Answers 1, or 0 if refused. Native producers may say how many
 * lines their job keeps.
 */
export const addLogScript: Script = {
  name: 'addLog',
  numberOfKeys: 3,
  lua: `
if redis.call("GET", KEYS[2]) ~= ARGV[1] or redis.call("EXISTS", KEYS[1]) == 0 then return 0 end
redis.call("RPUSH", KEYS[3], ARGV[2])
local opts = redis.call("HGET", KEYS[1], "opts")
local decoded, options = pcall(cjson.decode, opts or "{}")
local keep = decoded and type(options) == "table" and tonumber(options["kl"])
keep = keep and keep >= 1 and math.min(math.floor(keep), 2 ^ 53) or ${KEPT_LOG_LINES}
redis.call("LTRIM", KEYS[3], string.format("%.0f", -keep), -1)
return 1
`,
};
