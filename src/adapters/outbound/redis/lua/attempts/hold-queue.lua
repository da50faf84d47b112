-- Holds a queue, which it creates. Returns until when (epoch ms) it is held.
--
-- stop: who asks for it, as JSON; empty when that is not known

--- @include "adds/created-queue"
--- @include "attempts/hold"

local till = hold(prefix, duration, "caller", stop)
createQueue(registry, meta)
return till
