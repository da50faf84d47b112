-- Replaces a session for the rest of its life. Returns 1, or 0 when it is something else by now.
--
-- before: what it was as JSON

if rcall("GET", session) ~= before then return 0 end
rcall("SET", session, record, "KEEPTTL")
return 1
