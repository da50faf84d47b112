-- Removes a session. Returns 1, or 0 when there was none.
--
-- KEYS[1] session
-- KEYS[2] digests of the sessions of the token
--
-- ARGV[1] digest

local rcall = redis.call

local session, digests = KEYS[1], KEYS[2]
local digest = ARGV[1]
rcall("SREM", digests, digest)
return rcall("DEL", session)
