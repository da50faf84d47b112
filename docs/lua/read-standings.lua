-- Looks at what decides whether jobs of some queues start. Returns for each: how many calls run, the limit of the
-- queue itself, when the latest active job started, for how long (ms) a limiter lets none start, when the next delayed
-- job is due, how long ago (ms) a client claimed, or -1, and of an open breaker since when, until when and why, and 1
-- when groups have jobs of which none may start; 0 or an empty text for what is not there.
--
-- KEYS[1] registry of queues, for its slot
--
-- ARGV[1] what stands before a queue's name in its keys
-- ARGV[2…] of each queue its name, and max, duration and window of the limiter of its worker, or three empty texts, and
--   "1" when its worker gets several jobs with one call

local rcall = redis.call
local function getNextDelayedTimestamp(delayedKey)
  local result = rcall("ZRANGE", delayedKey, 0, 0, "WITHSCORES")
  if #result then
    local nextTimestamp = tonumber(result[2])
    if nextTimestamp ~= nil then
      return nextTimestamp / 0x1000
    end
  end
end
-- The time on the store's own clock, which counts for all replicas, in epoch ms.
local function storeTime()
    local time = rcall("TIME")
    return tonumber(time[1]) * 1000 + tonumber(time[2]) / 1000
end
-- Removes the sign of a gate when nothing needs it any more.
local function leaveGate(prefix)
    if rcall("EXISTS", prefix .. "jobgate:gate", prefix .. "jobgate:gate-started", prefix .. "jobgate:gate-ending") == 0 then
        rcall("HDEL", prefix .. "meta", "jobgate:gate")
    end
end

-- Sets the sign of a gate. Keys without it are those of a queue of the same name that is gone.
local function enterGate(prefix)
    if rcall("HSETNX", prefix .. "meta", "jobgate:gate", 1) == 1 then
        rcall("DEL", prefix .. "jobgate:gate", prefix .. "jobgate:gate-started", prefix .. "jobgate:gate-returned",
            prefix .. "jobgate:gate-ending")
    end
end

-- Has a call count for the concurrency for some ms more at the longest, although its job is gone.
local function keepPlace(prefix, token, duration)
    local ending = prefix .. "jobgate:gate-ending"
    enterGate(prefix)
    rcall("ZADD", ending, storeTime() + duration, token)
    if rcall("PTTL", ending) < duration then
        rcall("PEXPIRE", ending, duration)
    end
end

-- How many calls count for the concurrency of a queue that has a gate, although their jobs are gone.
local function endingCalls(prefix)
    rcall("ZREMRANGEBYSCORE", prefix .. "jobgate:gate-ending", "-inf", storeTime())
    return rcall("ZCARD", prefix .. "jobgate:gate-ending")
end
local function getRateLimitTTL(maxJobs, rateLimiterKey)
  if maxJobs and maxJobs <= tonumber(rcall("GET", rateLimiterKey) or 0) then
    local pttl = rcall("PTTL", rateLimiterKey)

    if pttl == 0 then
      rcall("DEL", rateLimiterKey)
    end

    if pttl > 0 then
      return pttl
    end
  end
  return 0
end

-- BullMQ's limiter counts in fixed windows, the first of which begins with a call: two of them side by side hold nearly
-- twice as many calls within one `duration`. So the times of the last starts are kept as well, by the store's clock,
-- which counts for all replicas. A job that is released without a call counts too. The counter of BullMQ stays, for
-- its workers on the same queue.

-- For how long (ms) the latest starts let no other one begin. limiter: max, window.
local function untilNextStart(queue, limiter)
  local starts = queue.prefix .. "jobgate:starts"
  local last = tonumber(rcall("LINDEX", starts, -limiter.max) or "")
  if not last then return 0 end
  local now = storeTime()
  -- A clock that was put back, as by a failover, must not stop the queue.
  if last > now then
    rcall("DEL", starts)
    return 0
  end
  return math.max(0, math.ceil(last + limiter.window - now))
end

-- A window of BullMQ's that began under a longer duration would hold longer than any does now. Its value is the
-- largest integer when somebody stopped the queue for a time: that is left alone.
local function withinDuration(ttl, queue, limiter)
  if not limiter or ttl <= limiter.duration or tonumber(rcall("GET", queue.limiter)) >= 9007199254740991 then return ttl end
  rcall("DEL", queue.limiter)
  return 0
end

-- For how long (ms) the limiter lets no job start. most: how many jobs the window of BullMQ may have, limiter: that of
-- the worker, if it has one.
local function limitedFor(queue, most, limiter)
  local ttl = withinDuration(getRateLimitTTL(most, queue.limiter), queue, limiter)
  return math.max(ttl, limiter and untilNextStart(queue, limiter) or 0)
end

-- Counts the start of a job. One that must fail makes no call, and does not count.
local function countStart(queue, job, duration, limiter)
  if rcall("HEXISTS", job, "defa") == 1 then return end
  if limiter then
    local now, starts = storeTime(), queue.prefix .. "jobgate:starts"
    rcall("RPUSH", starts, string.format("%.3f", now))
    -- More go than come, so that the list holds no more than one window, also after it was made shorter.
    for _ = 1, 2 do
      if now - tonumber(rcall("LINDEX", starts, 0)) < limiter.window then break end
      rcall("LPOP", starts)
    end
    rcall("PEXPIRE", starts, limiter.window)
  end
  if rcall("INCR", queue.limiter) == 1 then
    rcall("PEXPIRE", queue.limiter, math.floor(math.abs(duration)))
  end
end
-- How many calls run of a queue whose worker gets several jobs with one, besides the call named `own`: the tokens of the
-- jobs that run name their calls, and a job without a token is a call of its own.
local function runningCalls(prefix, active, hasGate, own)
  local calls, count = {[own] = true}, 0
  local function note(call)
    if not calls[call] then
      calls[call] = true
      count = count + 1
    end
  end
  for _, id in ipairs(rcall("LRANGE", active, 0, -1)) do
    local attempt = redis.pcall("HGET", prefix .. id, "jobgate:attempt")
    local token = type(attempt) == "string" and string.match(attempt, "^%d+:(.+)$")
    note(token and string.sub(token, 1, 10) or "job:" .. id)
  end
  for _, token in ipairs(hasGate and rcall("ZRANGE", prefix .. "jobgate:gate-ending", 0, -1) or {}) do
    note(string.sub(token, 1, 10))
  end
  return count
end

local function breakerOf(prefix)
  local open = rcall("HMGET", prefix .. "jobgate:gate", "openUntil", "openSince", "openReason")
  if not open[1] then return 0, 0, "" end
  return tonumber(open[2]), tonumber(open[1]) > storeTime() and tonumber(open[1]) or 0, open[3]
end

-- Groups that were found ready may have come to a limit since: then they count as able to start until a claim finds out.
local function areGroupsBlocked(prefix)
  return rcall("EXISTS", prefix .. "jobgate:group-parked") == 1 and
    rcall("EXISTS", prefix .. "jobgate:group-ready", prefix .. "wait", prefix .. "prioritized") == 0
end

local function standing(prefix, limiter, hasBatches)
  local active = prefix .. "active"
  local settings = rcall("HMGET", prefix .. "meta", "jobgate:gate", "concurrency", "max", "jobgate:groups")
  local running, since, till, reason = rcall("LLEN", active), 0, 0, ""
  if settings[1] then
    running = running + endingCalls(prefix)
    since, till, reason = breakerOf(prefix)
  end
  if hasBatches then running = runningCalls(prefix, active, settings[1], "") end
  local latest = rcall("LINDEX", active, 0)
  local started = latest and tonumber(rcall("HGET", prefix .. latest, "processedOn") or "") or 0
  local most, limited = tonumber(settings[3] or limiter and limiter.max), 0
  if most then limited = limitedFor({prefix = prefix, limiter = prefix .. "limiter"}, most, limiter) end
  local due = getNextDelayedTimestamp(prefix .. "delayed")
  local claimed = tonumber(rcall("GET", prefix .. "jobgate:claimed") or "")
  return {running, tonumber(settings[2] or "") or 0, started, limited, due and math.floor(due) or 0,
    claimed and math.max(0, math.floor(storeTime() - claimed)) or -1, since, till, reason, settings[4] and areGroupsBlocked(prefix) and 1 or 0}
end

local standings = {}
for index = 2, #ARGV, 5 do
  local limiter = ARGV[index + 1] ~= "" and {max = tonumber(ARGV[index + 1]), duration = tonumber(ARGV[index + 2]),
    window = tonumber(ARGV[index + 3])} or nil
  standings[#standings + 1] = standing(ARGV[1] .. ARGV[index] .. ":", limiter, ARGV[index + 4] == "1")
end
return standings
