import type { Script } from '../connection/scripts.ts';
import { FAIL_EXPIRED } from './expired-jobs.ts';
import { EXPIRES } from '../layout/expiry-keys.ts';

/** Jobs that one run looks at: those that are due, and those of a piece of the waiting list. */
const [MOST_DUE, PIECE] = [200, 500];

/** Milliseconds until the next run over a queue with due jobs that were not found anywhere. */
const LATER = 2000;

/** In the place of a job in the list until it is taken out. No job can have this id: it has one colon. */
const GONE = 'jobgate:gone';

/**
 * Fails jobs of a queue that did not start in time. Finding a job in a list means reading all of it, so each run reads
 * one piece, from the end where jobs are taken, and removes all that it finds there at once.
 *
 * KEYS: expiring, wait, paused, prioritized, delayed, the register of queues. ARGV: job key prefix, the name of the
 * queue, now, how many jobs at the end of the lists to skip. Answers how many jobs failed, and how many to skip
 * next time, or -1 when there is nothing to do for now: the register says then when there is.
 */
export const expireJobsScript: Script = {
  name: 'expireJobs',
  numberOfKeys: 6,
  lua: `
local expiring, wait, paused, prioritized, delayed, register = KEYS[1], KEYS[2], KEYS[3], KEYS[4], KEYS[5], KEYS[6]
local prefix, queue, now, skip = ARGV[1], ARGV[2], ARGV[3], tonumber(ARGV[4])
local rcall = redis.call
${FAIL_EXPIRED}
local expired, dropped = 0, 0
local function fail(id, expires, prev)
  failExpired(prefix, id, tonumber(expires), now, prev)
  expired = expired + 1
end

-- Under the same id there may be another job by now, or one that a native worker has started or that was cancelled.
local function isPending(id, expires)
  local record = redis.pcall("HMGET", prefix .. id, "${EXPIRES}", "processedOn", "finishedOn")
  if record["err"] or not record[1] or record[2] or record[3] then return false end
  return tonumber(record[1]) == tonumber(expires)
end

local anyWaiting = false
local due = rcall("ZRANGEBYSCORE", expiring, "-inf", now, "WITHSCORES", "LIMIT", 0, ${MOST_DUE})
for at = 1, #due, 2 do
  local id, expires = due[at], due[at + 1]
  if not isPending(id, expires) then
    rcall("ZREM", expiring, id)
    dropped = dropped + 1
  elseif rcall("ZREM", delayed, id) == 1 then
    fail(id, expires, "delayed")
  elseif rcall("ZREM", prioritized, id) == 1 then
    fail(id, expires, "prioritized")
  else
    anyWaiting = true
  end
end

local isPassed = true
if anyWaiting then
  -- An older BullMQ keeps the waiting jobs of a paused queue in another list.
  local list, first, waiting = wait, skip, rcall("LLEN", wait)
  if skip >= waiting then list, first = paused, skip - waiting end
  local ids = rcall("LRANGE", list, -(first + ${PIECE}), -(first + 1))
  local found = {}
  for back = 1, #ids do
    local id = ids[#ids + 1 - back]
    local expires = rcall("ZSCORE", expiring, id)
    if expires and tonumber(expires) <= tonumber(now) and isPending(id, expires) then
      rcall("LSET", list, -(first + back), "${GONE}")
      found[#found + 1] = {id, expires}
    end
  end
  if #found > 0 then
    local isNearHead = first > rcall("LLEN", list) / 2
    rcall("LREM", list, isNearHead and #found or -#found, "${GONE}")
    for _, job in ipairs(found) do fail(job[1], job[2], "waiting") end
  end
  isPassed = #ids < ${PIECE} and (list == paused or rcall("EXISTS", paused) == 0)
  skip = isPassed and 0 or skip + #ids - #found
end

if rcall("ZCOUNT", expiring, "-inf", now) == 0 then
  local nextAt = rcall("ZRANGE", expiring, 0, 0, "WITHSCORES")[2]
  if nextAt then rcall("ZADD", register, nextAt, queue) else rcall("ZREM", register, queue) end
  return {expired, -1}
end
if isPassed and expired + dropped == 0 then
  rcall("ZADD", register, tonumber(now) + ${LATER}, queue)
  return {expired, -1}
end
return {expired, skip}
`,
};
