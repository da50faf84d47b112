-- Returns the time, in epoch ms, of the server that holds the queues.
--- @include "reading/store-time"

return math.floor(storeTime())
