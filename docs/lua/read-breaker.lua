-- Returns nothing, or since when (epoch ms) the breaker of the queue is open, until when no call starts, or 0 when that is
-- over, and why.
--
-- KEYS[1] meta
--
-- ARGV[1] the prefix of the queue's keys

local rcall = redis.call

-- The time on the store's own clock, which counts for all replicas, in epoch ms.
local function storeTime()
    local time = rcall("TIME")
    return tonumber(time[1]) * 1000 + tonumber(time[2]) / 1000
end

if rcall("HEXISTS", KEYS[1], "jobgate:gate") == 0 then return false end
local open = rcall("HMGET", ARGV[1] .. "jobgate:gate", "openUntil", "openSince", "openReason")
if not open[1] then return false end
return {tonumber(open[2]), tonumber(open[1]) > storeTime() and tonumber(open[1]) or 0, open[3]}
