-- Returns what is known of the key of an add, or nothing when the key is unknown.
--
-- KEYS[1] record of the key
--
-- ARGV[1] digest of the add's body
--- @include "rules/recalled-add"

return recall(KEYS[1], ARGV[1])
