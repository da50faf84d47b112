-- Replaces one of several records that are kept together, and creates the queue that it is about unless that is there.
-- Returns 1, 0 when the record has changed since it was read, or -1 when it would be one too many. In place of the keys
-- of a queue is that of the records where they are about none.

--- @include "adds/created-queue"

if (rcall("HGET", records, id) or "") ~= before then return 0 end
if most and before == "" and rcall("HLEN", records) >= most then return -1 end
rcall("HSET", records, id, record)
if meta ~= records then createQueue(registry, meta) end
return 1
