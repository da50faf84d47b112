--- @include "rules/store-time"
--- @include "rules/close-breaker"

-- For how long (ms) the breaker lets the claim be given no job. Where the claim would be a probe, isProbe says
-- so. A claim of a worker without a breaker leaves none behind.
local isProbe = false
local function isProbing(prefix, token, jobId)
    local start = rcall("HMGET", prefix .. jobId, "processedOn", ATTEMPT)
    return start[1] and start[2] == start[1] .. ":" .. token and rcall("LPOS", prefix .. "active", jobId)
end
local function breakerClosedFor(prefix, opts)
    if opts['hasBreaker'] == nil then
        return 0
    end
    if not opts['hasBreaker'] then
        closeBreaker(prefix)
        return 0
    end
    local open = rcall("HMGET", prefix .. GATE, OPEN_UNTIL, PROBE, PROBE_JOB)
    if not open[1] then
        return 0
    end
    local left = math.ceil(tonumber(open[1]) - storeTime())
    if left > 0 then
        return left
    end
    if open[2] and isProbing(prefix, open[2], open[3]) then
        return PROBE_CHECK
    end
    isProbe = true
    return 0
end
local function noteProbe(prefix, token, jobId)
    rcall("HSET", prefix .. GATE, PROBE, token, PROBE_JOB, jobId)
end

-- Applies the packed verdict on a call to the breaker; breakerMove is the move that other replicas must
-- learn of.
local function judge(prefix, jobId, token, packed)
    local verdict = cmsgpack.unpack(packed)
    local gate, failed, meta = prefix .. GATE, prefix .. GATE_FAILED, prefix .. "meta"
    if rcall("HEXISTS", meta, GATED) == 0 then
        if not verdict['isDown'] then
            return
        end
        -- What is there is that of a queue of the same name that is gone.
        rcall("DEL", gate, failed)
    end
    local state = rcall("HMGET", gate, OPEN_FOR, PROBE, FAILED)
    local openFor = tonumber(state[1])
    if openFor and state[2] ~= token or not openFor and verdict['isOfProbe'] then
        return
    end
    if not verdict['isDown'] then
        closeBreaker(prefix)
        if openFor then
            breakerMove = "closed"
        end
        return
    end
    local time = rcall("TIME")
    local now = tonumber(time[1]) * 1000 + tonumber(time[2]) / 1000
    if openFor then
        openFor = math.min(2 * openFor, verdict['maxOpenFor'])
        rcall("HDEL", gate, PROBE, PROBE_JOB)
    else
        if not state[3] then
            rcall("DEL", failed)
        end
        rcall("SADD", failed, jobId)
        rcall("HSET", meta, GATED, 1)
        local count = rcall("SCARD", failed)
        if count < verdict['failures'] then
            rcall("HSET", gate, FAILED, count)
            return
        end
        rcall("DEL", failed)
        rcall("HDEL", gate, FAILED)
        openFor = verdict['openFor']
        rcall("HSET", gate, OPEN_SINCE, string.format("%.0f", now))
        breakerMove = "opened"
    end
    rcall("HSET", gate, OPEN_UNTIL, string.format("%.0f", math.ceil(now + openFor)), OPEN_FOR,
        string.format("%.0f", openFor), OPEN_REASON, verdict['reason'])
end
