-- Removes a session. Returns 1, or 0 when it did not exist.
--
-- KEYS[1] session
-- KEYS[2] sessions of the token by their ids
--
-- ARGV[1] id

local session, held = KEYS[1], KEYS[2]
local id = ARGV[1]
rcall("HDEL", held, id)
return rcall("DEL", session)
