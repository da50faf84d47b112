-- Returns the time, in epoch ms, of the server that holds the queues.
--
-- KEYS[1] registry of queues, for its slot
--- @include "rules/store-time"

return math.floor(storeTime())
