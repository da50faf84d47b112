-- Closes the breaker of the queue, if it has one.
--
-- KEYS[1] meta
--
-- ARGV[1] the prefix of the queue's keys

local rcall = redis.call

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

-- Closes the breaker and forgets what was counted.
local function closeBreaker(prefix)
    rcall("DEL", prefix .. "jobgate:gate-failed")
    rcall("HDEL", prefix .. "jobgate:gate", "failed", "openUntil", "openFor", "openSince", "openReason", "probe", "probeJob")
    leaveGate(prefix)
end

if rcall("HEXISTS", KEYS[1], "jobgate:gate") == 1 then closeBreaker(ARGV[1]) end
