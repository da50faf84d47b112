import type { Script } from '../connection/scripts.ts';
import { WITHOUT_RECORD } from '../layout/attempt-lines.ts';
import { HOLDS } from './attempt-token.ts';

/*
 * Jobs that their endpoints accepted, to complete them later. What is kept of one is the token of its attempt, when it
 * was accepted and until when, with colons between. Nobody renews its lock, so that lasts longer than its time: what
 * comes after that is for whoever looks for overdue jobs. A register names the queues that have such jobs, by when
 * the first of these is to be looked at.
 */

/** How much longer than its time the lock of an accepted job lasts, in milliseconds. */
const LONGER = 86_400_000;

/** Jobs that one look takes, and characters of their data after which it takes no more. */
const [MOST_OVERDUE, MOST_CHARACTERS] = [50, 1_048_576];

/** Lua: has the register say when the queue is to be looked at next. */
const REGISTER = `local function registerAccepted(register, accepted, queue)
  local first = redis.call("ZRANGE", accepted, 0, 0, "WITHSCORES")[2]
  if first then redis.call("ZADD", register, first, queue) else redis.call("ZREM", register, queue) end
end
`;

/** Lua: what a script begins with that answers 0 to all but who holds the job. It does not stall meanwhile. */
const FOR_ITS_HOLDER = `${HOLDS}${REGISTER}
local job, active, stalled, accepted, acceptances, register = KEYS[1], KEYS[2], KEYS[3], KEYS[4], KEYS[5], KEYS[6]
local token, id, duration, now, queue = ARGV[1], ARGV[2], ARGV[3], ARGV[4], ARGV[5]
if not holds(job, id, active, token) then return 0 end
-- The write that takes no memory goes first, or a store whose memory is used up refuses all of them.
redis.call("SREM", stalled, id)
`;

/**
 * Leaves a job to its endpoint for `duration` ms from now. KEYS: job, active, stalled, accepted, acceptances, register.
 * ARGV: token, job id, duration, now, the name of the queue. Answers 1, or 0 if refused.
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
 * Holds a job for `duration` ms from now without a renewal. KEYS and ARGV are those of `acceptScript`. Answers 1, or 0
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
 * Finds accepted jobs whose time is over. Those that are answered are not looked at again for a while, so that others
 * have their turn, and somebody else should whoever asks die; those whose attempts have ended are forgotten.
 *
 * KEYS: active, accepted, acceptances, register. ARGV: job key prefix, the name of the queue, now, when those that are
 * answered are looked at again. Answers of each its id, the token, how many ms it had, and the hash.
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
