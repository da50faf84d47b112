-- Returns what is known of the key of an add, or nothing when the key is unknown.
--- @include "adds/recalled-add"

return recall(record, body)
