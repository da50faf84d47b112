-- Stores a session, and its digest with the others of its token.
--
-- KEYS[1] session
-- KEYS[2] digests of the sessions of the token
--
-- ARGV[1] digest
-- ARGV[2] the session as JSON
-- ARGV[3] milliseconds until it ends

local session, digests = KEYS[1], KEYS[2]
local digest, record, life = ARGV[1], ARGV[2], tonumber(ARGV[3])
rcall("SET", session, record, "PX", life)
rcall("SADD", digests, digest)
-- All sessions last equally long: the set ends with the latest.
rcall("PEXPIRE", digests, life)
return 1
