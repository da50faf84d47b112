-- Returns the counts of a queue's states, and since when the job has waited that waits longest, if one does.
--
-- KEYS[1] active
-- KEYS[2] wait
-- KEYS[3] paused
-- KEYS[4] prioritized
-- KEYS[5] delayed
-- KEYS[6] completed
-- KEYS[7] failed
-- KEYS[8] waiting for children
--
-- ARGV[1] job key prefix
--- @include "rules/queue-summary"

return summaryOf(KEYS[1], KEYS[2], KEYS[3], KEYS[4], KEYS[5], KEYS[6], KEYS[7], KEYS[8], ARGV[1])
