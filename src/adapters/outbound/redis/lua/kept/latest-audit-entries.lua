-- Returns entries of the audit, newest first.
--
-- upTo: end of the range of ids
-- count: how many

local found = rcall("ZREVRANGEBYLEX", ids, upTo, "-", "LIMIT", 0, count)
if #found == 0 then return {} end
return rcall("HMGET", entries, unpack(found))
