-- Returns entries of the audit, newest first.
--
-- KEYS[1] entries
-- KEYS[2] their ids
--
-- ARGV[1] end of the range of ids
-- ARGV[2] how many

local entries, ids = KEYS[1], KEYS[2]
local found = rcall("ZREVRANGEBYLEX", ids, ARGV[1], "-", "LIMIT", 0, tonumber(ARGV[2]))
if #found == 0 then return {} end
return rcall("HMGET", entries, unpack(found))
