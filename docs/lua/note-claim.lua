-- Notes that a client asks for jobs of a queue. Returns whether the queue exists: otherwise nothing is noted.
--
-- KEYS[1] meta
--
-- ARGV[1] the prefix of the queue's keys
-- ARGV[2] for how long (ms) the note is kept

local rcall = redis.call
-- The time on the store's own clock, which counts for all replicas, in epoch ms.
local function storeTime()
    local time = rcall("TIME")
    return tonumber(time[1]) * 1000 + tonumber(time[2]) / 1000
end

if rcall("EXISTS", KEYS[1]) == 0 then return 0 end
rcall("SET", ARGV[1] .. "jobgate:claimed", string.format("%.0f", storeTime()), "PX", ARGV[2])
return 1
