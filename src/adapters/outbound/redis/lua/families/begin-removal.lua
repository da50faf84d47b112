-- Begins to remove a queue: from then on no job of it starts. Returns "begun", or what keeps it: "missing" or "active".
--
-- isForced: to begin also while jobs are active
--- @include "reading/has-jobs"

if not isThere(prefix) then return "missing" end
if not isForced and rcall("LLEN", active) > 0 then return "active" end
-- The write that takes no memory goes first, or a store whose memory is used up refuses both.
rcall("DEL", marker)
rcall("HSET", meta, "paused", 1)
return "begun"
