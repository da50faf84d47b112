import type { Script } from '../connection/scripts.ts';
import { WITHOUT_RECORD } from '../layout/attempt-lines.ts';
import { HOLDS } from './attempt-token.ts';

/*
 * Jobs that their endpoints accepted and complete later. An acceptance is the token of the attempt, when the job was
 * accepted and until when, separated by colons. No replica renews the lock of such a job, so it lasts longer than the
 * job's time, after which the search for overdue jobs ends the attempt. A register names the queues that have such
 * jobs, by the time of the next check.
 */

/** How much longer than its time the lock of an accepted job lasts, in milliseconds. */
const LONGER = 86_400_000;

/** Most jobs that one search returns, and characters of their data after which it returns no more. */
const [MOST_OVERDUE, MOST_CHARACTERS] = [50, 1_048_576];

/** Lua: sets the time of the next check of the queue in the register. */
const REGISTER = `local function registerAccepted(register, accepted, queue)
  local first = redis.call("ZRANGE", accepted, 0, 0, "WITHSCORES")[2]
  if first then redis.call("ZADD", register, first, queue) else redis.call("ZREM", register, queue) end
end
`;

/** Lua: begins a script that returns 0 unless the attempt holds the job, which does not stall meanwhile. */
const FOR_ITS_HOLDER = `${HOLDS}${REGISTER}
local job, active, stalled, accepted, acceptances, register = KEYS[1], KEYS[2], KEYS[3], KEYS[4], KEYS[5], KEYS[6]
local token, id, duration, now, queue = ARGV[1], ARGV[2], ARGV[3], ARGV[4], ARGV[5]
if not holds(job, id, active, token) then return 0 end
-- The write that takes no memory goes first, or a store whose memory is used up refuses all of them.
redis.call("SREM", stalled, id)
`;

/**
 * Leaves a job to its endpoint for `duration` ms from now. KEYS: job, active, stalled, accepted, acceptances, register.
 * ARGV: token, job id, duration, now, the name of the queue. Returns 1, or 0 if refused.
 */
export const acceptScript: Script = {
  name: 'accept',
  numberOfKeys: 6,
  lua: `
${FOR_ITS_HOLDER}local ends = string.format("%.0f", now + duration)
redis.call("ZADD", accepted, ends, id)
redis.call("HSET", acceptances, id, token .. ":" .. now .. ":" .. ends)
redis.call("SET", job .. ":lock", token, "PX", string.format("%.0f", duration + ${LONGER}))
registerAccepted(register, accepted, queue)
return 1
`,
};

/**
 * Holds a job for `duration` ms from now without a renewal. KEYS and ARGV are those of `acceptScript`. Returns 1, or 0
 * if refused.
 */
export const extendScript: Script = {
  name: 'extend',
  numberOfKeys: 6,
  lua: `
${FOR_ITS_HOLDER}local of, since = string.match(redis.call("HGET", acceptances, id) or "", "^([^:]+):(%d+):")
if of == token then
  local ends = string.format("%.0f", now + duration)
  redis.call("ZADD", accepted, ends, id)
  redis.call("HSET", acceptances, id, token .. ":" .. since .. ":" .. ends)
  registerAccepted(register, accepted, queue)
  duration = duration + ${LONGER}
end
redis.call("SET", job .. ":lock", token, "PX", string.format("%.0f", duration))
return 1
`,
};

/**
 * Finds overdue accepted jobs. Those that it returns are not checked again for a while, so that other jobs get their
 * turn, and another replica takes over should this one die. Jobs with ended attempts are removed.
 *
 * KEYS: active, accepted, acceptances, register. ARGV: job key prefix, the name of the queue, now, when the returned
 * ones are checked again. Returns for each its id, the token, how many ms it had, and the hash.
 */
export const findOverdueScript: Script = {
  name: 'findOverdue',
  numberOfKeys: 4,
  lua: `
${HOLDS}${REGISTER}${WITHOUT_RECORD}
local active, accepted, acceptances, register = KEYS[1], KEYS[2], KEYS[3], KEYS[4]
local prefix, queue, now, later = ARGV[1], ARGV[2], ARGV[3], ARGV[4]
redis.call("ZREM", accepted, "")
local overdue, characters = {}, 0
for _, id in ipairs(redis.call("ZRANGEBYSCORE", accepted, "-inf", now, "LIMIT", 0, ${MOST_OVERDUE})) do
  if characters > ${MOST_CHARACTERS} then break end
  local token, since, ends = string.match(redis.call("HGET", acceptances, id) or "", "^([^:]+):(%d+):(%d+)$")
  local record = token and holds(prefix .. id, id, active, token) and redis.pcall("HGETALL", prefix .. id)
  if record and not record["err"] and #record > 0 then
    redis.call("ZADD", accepted, later, id)
    for _, text in ipairs(record) do characters = characters + #text end
    overdue[#overdue + 1] = {id, token, string.format("%.0f", ends - since), withoutRecord(record)}
  else
    redis.call("ZREM", accepted, id)
    redis.call("HDEL", acceptances, id)
  end
end
registerAccepted(register, accepted, queue)
return overdue
`,
};
