-- Ends the hold of a queue and wakes one waiter for its jobs; each that takes one wakes another. Returns 1, or 0 when
-- there is no queue.
--
-- KEYS[1] active
-- KEYS[2] wait
-- KEYS[3] paused
-- KEYS[4] prioritized
-- KEYS[5] delayed
-- KEYS[6] completed
-- KEYS[7] failed
-- KEYS[8] waiting children
-- KEYS[9] meta
-- KEYS[10] marker
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

-- Ends the hold of a queue, and removes a gate that nothing else needs. Answers whether there was a hold.
local function endHold(prefix)
    local wasHeld = rcall("HDEL", prefix .. "jobgate:gate", "heldUntil", "heldSince") > 0
    leaveGate(prefix)
    return wasHeld
end

if rcall("EXISTS", unpack(KEYS, 1, 9)) == 0 then return 0 end
if endHold(ARGV[1]) then rcall("ZADD", KEYS[10], 0, "0") end
return 1
