-- Replaces one of several records that are kept together. Returns 1, 0 when it has changed since it was
-- read, or -1 when it would be one too many.
--
-- KEYS[1] records
--
-- ARGV[1] id of the record
-- ARGV[2] it as it was read, empty for none
-- ARGV[3] the new record
-- ARGV[4] how many records there may be

local records = KEYS[1]
local id, before, record, most = ARGV[1], ARGV[2], ARGV[3], tonumber(ARGV[4])
if (rcall("HGET", records, id) or "") ~= before then return 0 end
if before == "" and rcall("HLEN", records) >= most then return -1 end
rcall("HSET", records, id, record)
return 1
