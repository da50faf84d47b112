--- @include "reading/store-time"

-- Whether the deadline (epoch ms of the store) of a run is over: its caller has given up, so it must change nothing.
local function cameLate(deadline) return storeTime() > tonumber(deadline) end
