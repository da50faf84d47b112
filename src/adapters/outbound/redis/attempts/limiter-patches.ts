import { STORE_TIME } from '../gate/gate-lua.ts';
import type { Patch } from './script-patch.ts';

/*
 * BullMQ's limiter counts in fixed windows, the first of which begins with a call: two of them side by side
 * hold nearly twice as many calls within one `duration`. So the scripts that take jobs also keep the times
 * of the last starts in a list, by the store's clock, which counts for all replicas. A job that is released without a
 * call counts too. The counter of BullMQ stays, for its workers on the same queue.
 */

/** After a queue's prefix. No job can have it: ids of one colon are refused, here and by BullMQ. */
const STARTS = 'jobgate:starts';

const SLIDING_LOG = `${STORE_TIME}local function untilNextStart(opts, keyPrefix)
    local limiter = opts['limiter']
    if not limiter then
        return 0
    end
    local last = tonumber(rcall("LINDEX", keyPrefix .. "${STARTS}", -limiter['max']) or "")
    if not last then
        return 0
    end
    local now = storeTime()
    -- A clock that was put back, as by a failover, must not stop the queue.
    if last > now then
        rcall("DEL", keyPrefix .. "${STARTS}")
        return 0
    end
    return math.max(0, math.ceil(last + limiter['window'] - now))
end
local function noteStart(opts, keyPrefix)
    local limiter = opts['limiter']
    if not limiter then
        return
    end
    local now = storeTime()
    local key = keyPrefix .. "${STARTS}"
    rcall("RPUSH", key, string.format("%.3f", now))
    -- More go than come, so that the list holds no more than one window, also after it was made shorter.
    for _ = 1, 2 do
        if now - tonumber(rcall("LINDEX", key, 0)) < limiter['window'] then
            break
        end
        rcall("LPOP", key)
    end
    rcall("PEXPIRE", key, limiter['window'])
end
-- A window of BullMQ's that began under a longer duration would hold longer than any does now. Its value is
-- the largest integer when somebody stopped the queue for a time: that is left alone.
local function withinDuration(ttl, opts, rateLimiterKey)
    local duration = opts['limiter'] and opts['limiter']['duration']
    if not duration or ttl <= duration or tonumber(rcall("GET", rateLimiterKey)) >= 9007199254740991 then
        return ttl
    end
    rcall("DEL", rateLimiterKey)
    return 0
end
`;

/** @param prefix the Lua expression for the prefix of the queue's keys at the point where a job is taken. */
export function slidingLimiter(prefix: string): readonly Patch[] {
  return [
    {
      purpose: 'keep the times of the last starts',
      find: 'local function prepareJobForProcessing(',
      replace: `${SLIDING_LOG}local function prepareJobForProcessing(`,
    },
    {
      purpose: 'note when a job that counts for the limiter starts',
      find: '      local jobCounter = tonumber(rcall("INCR", rateLimiterKey))\n',
      replace: `      noteStart(opts, keyPrefix)
      local jobCounter = tonumber(rcall("INCR", rateLimiterKey))
`,
    },
    {
      purpose: 'start no more jobs than the limiter allows in any window',
      find: 'local expireTime = getRateLimitTTL(maxJobs, rateLimiterKey)\n',
      replace: `local expireTime = math.max(untilNextStart(opts, ${prefix}),
        withinDuration(getRateLimitTTL(maxJobs, rateLimiterKey), opts, rateLimiterKey))
`,
    },
  ];
}
