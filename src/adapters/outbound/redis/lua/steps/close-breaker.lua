-- Closes the breaker of the queue, if it has one.
--
-- KEYS[1] meta
--
-- ARGV[1] the prefix of the queue's keys

--- @include "rules/close-breaker"

if rcall("HEXISTS", KEYS[1], GATED) == 1 then closeBreaker(ARGV[1]) end
