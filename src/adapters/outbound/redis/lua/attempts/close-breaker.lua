-- Closes the breaker of the queue, if it has one.

--- @include "attempts/closed-breaker"

if rcall("HEXISTS", meta, GATED) == 1 then closeBreaker(prefix) end
