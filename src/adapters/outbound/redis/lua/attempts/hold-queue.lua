-- Holds a queue, which it creates. Returns until when (epoch ms) it is held.

--- @include "adds/created-queue"
--- @include "attempts/hold"

local till = hold(prefix, duration, "caller")
createQueue(registry, meta)
return till
