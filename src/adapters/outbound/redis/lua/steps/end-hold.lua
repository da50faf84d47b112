-- Ends the hold of a queue and wakes one waiter for its jobs; each that takes one wakes another. Returns 1, or 0 when
-- there is no queue.
--
-- KEYS[1] active
-- KEYS[2] wait
-- KEYS[3] paused
-- KEYS[4] prioritized
-- KEYS[5] delayed
-- KEYS[6] completed
-- KEYS[7] failed
-- KEYS[8] waiting children
-- KEYS[9] meta
-- KEYS[10] marker
--
-- ARGV[1] the prefix of the queue's keys

--- @include "rules/end-hold"

if rcall("EXISTS", unpack(KEYS, 1, 9)) == 0 then return 0 end
if endHold(ARGV[1]) then rcall("ZADD", KEYS[10], 0, "0") end
return 1
