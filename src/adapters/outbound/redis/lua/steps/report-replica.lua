-- Records that a replica is there, with the time of the store, and forgets replicas that are long gone.
--
-- KEYS[1] replicas
--
-- ARGV[1] instance
-- ARGV[2] its clock, epoch ms
-- ARGV[3] what it reports, as JSON
-- ARGV[4] for how long records are kept, in ms
--- @include "rules/store-time"

local replicas, kept = KEYS[1], tonumber(ARGV[4])
local now = math.floor(storeTime())
local records = rcall("HGETALL", replicas)
for index = 1, #records, 2 do
  if now - tonumber(string.match(records[index + 1], "^%d+")) > kept then rcall("HDEL", replicas, records[index]) end
end
rcall("HSET", replicas, ARGV[1], string.format("%.0f,%.0f,", now, tonumber(ARGV[2]) - now) .. ARGV[3])
rcall("PEXPIRE", replicas, kept)
