import type { Script } from '../connection/scripts.ts';
import { HOLDS } from './attempt-token.ts';

/*
 * Jobs that their endpoints accepted, to complete them later. What is kept of one is the token of its attempt, when it
 * was accepted and until when, with colons between. Nobody renews its lock, so that lasts longer than its time: what
 * comes after that is for whoever looks for overdue jobs.
 */

/** How much longer than its time the lock of an accepted job lasts, in milliseconds. */
const LONGER = 86_400_000;

/**
 * Holds a job for `duration` ms from now without a renewal. KEYS: job, active, stalled, accepted, acceptances. ARGV:
 * token, job id, duration, until when that is (epoch ms). Answers 1, or 0 if refused.
 */
export const extendScript: Script = {
  name: 'extend',
  numberOfKeys: 5,
  lua: `
${HOLDS}
local job, active, stalled, accepted, acceptances = KEYS[1], KEYS[2], KEYS[3], KEYS[4], KEYS[5]
local token, id, duration, ends = ARGV[1], ARGV[2], ARGV[3], ARGV[4]
if not holds(job, id, active, token) then return 0 end
redis.call("SREM", stalled, id)
local of, since = string.match(redis.call("HGET", acceptances, id) or "", "^([^:]+):(%d+):")
if of == token then
  redis.call("ZADD", accepted, ends, id)
  redis.call("HSET", acceptances, id, token .. ":" .. since .. ":" .. ends)
  duration = duration + ${LONGER}
end
redis.call("SET", job .. ":lock", token, "PX", string.format("%.0f", duration))
return 1
`,
};
