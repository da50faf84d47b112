const TOKEN = /^[\w-]{32}$/;

/** False for the lock tokens of native BullMQ workers, which can be guessed from one another. */
export function isToken(text: string): boolean {
  return TOKEN.test(text);
}

/** The field of a job's hash that names its running attempt: when it started, a colon, and its token. */
export const ATTEMPT = 'jobgate:attempt';

/** The field of a job's hash that has the token of its running attempt when a client pulled the job. */
export const PULLED_BY = 'jobgate:pulled-by';

/**
 * Lua: whether the attempt holds the job although its lock expired, as happens when the store was down and no replica
 * could renew it. It does as long as the job is active and was not started anew: each start of a job, by a native
 * worker too, writes another start time beside the token. An id that a client made up may name another key of the
 * queue, which is not a job.
 */
export const HOLDS_WITHOUT_LOCK = `local function holdsWithoutLock(jobKey, jobId, activeKey, token)
  if redis.call("TYPE", jobKey).ok ~= "hash" then return end
  local start = redis.call("HMGET", jobKey, "processedOn", "${ATTEMPT}")
  return start[1] and start[2] == start[1] .. ":" .. token and redis.call("LPOS", activeKey, jobId) and true
end
`;

/** Lua: whether the token is that of the job's running attempt. */
export const HOLDS = `${HOLDS_WITHOUT_LOCK}local function holds(jobKey, jobId, activeKey, token)
  local lock = redis.call("GET", jobKey .. ":lock")
  if lock then return lock == token end
  return holdsWithoutLock(jobKey, jobId, activeKey, token)
end
`;
