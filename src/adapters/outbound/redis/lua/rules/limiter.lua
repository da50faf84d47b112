--- @include "rules/store-time"

local function untilNextStart(opts, keyPrefix)
    local limiter = opts['limiter']
    if not limiter then
        return 0
    end
    local last = tonumber(rcall("LINDEX", keyPrefix .. STARTS, -limiter['max']) or "")
    if not last then
        return 0
    end
    local now = storeTime()
    -- A clock that was put back, as by a failover, must not stop the queue.
    if last > now then
        rcall("DEL", keyPrefix .. STARTS)
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
    local key = keyPrefix .. STARTS
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
