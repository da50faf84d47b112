-- Notes that a client asks for jobs of a queue. Returns whether the queue exists: otherwise nothing is noted.
--- @include "reading/store-time"

if rcall("EXISTS", meta) == 0 then return 0 end
rcall("SET", prefix .. CLAIMED, string.format("%.0f", storeTime()), "PX", duration)
return 1
