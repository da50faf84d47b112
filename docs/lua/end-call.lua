-- Frees the place of an ended call with a cancelled job, if it still has one, and wakes one waiter for jobs.
--
-- KEYS[1] meta
-- KEYS[2] marker
--
-- ARGV[1] the prefix of the queue's keys
-- ARGV[2] token

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

local meta, marker = KEYS[1], KEYS[2]
local prefix, token = ARGV[1], ARGV[2]
if rcall("ZREM", prefix .. "jobgate:gate-ending", token) == 1 then
  leaveGate(prefix)
  rcall("ZADD", marker, 0, "0")
end
