-- Removes some of the job schedulers of a queue. Returns how many they were.

local ids = rcall("ZRANGE", schedulers, 0, most - 1)
if #ids == 0 then return 0 end
local keys = {}
for index, id in ipairs(ids) do keys[index] = schedulers .. ":" .. id end
rcall("UNLINK", unpack(keys))
rcall("ZREM", schedulers, unpack(ids))
return #ids
