-- Returns the records of the replicas that reported themselves of late.
--
-- KEYS[1] replicas
--
-- ARGV[1] how long ago they may have done so, in ms

local rcall = redis.call
-- The time on the store's own clock, which counts for all replicas, in epoch ms.
local function storeTime()
    local time = rcall("TIME")
    return tonumber(time[1]) * 1000 + tonumber(time[2]) / 1000
end

local now, found = storeTime(), {}
for _, record in ipairs(rcall("HVALS", KEYS[1])) do
  if now - tonumber(string.match(record, "^%d+")) <= tonumber(ARGV[1]) then found[#found + 1] = record end
end
return found
