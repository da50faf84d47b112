-- Records that a replica is there, with the time of the store, and forgets replicas that are long gone.
--
-- clock: its clock, epoch ms
-- report: what it reports, as JSON
--- @include "reading/store-time"

local now = math.floor(storeTime())
local records = rcall("HGETALL", replicas)
for index = 1, #records, 2 do
  if now - tonumber(string.match(records[index + 1], "^%d+")) > keptFor then rcall("HDEL", replicas, records[index]) end
end
rcall("HSET", replicas, instance, string.format("%.0f,%.0f,", now, clock - now) .. report)
rcall("PEXPIRE", replicas, keptFor)
