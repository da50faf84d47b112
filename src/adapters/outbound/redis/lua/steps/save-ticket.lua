-- Stores a ticket. Beyond the most tickets of a caller within their life, used ones included, the oldest of them ends.
--
-- KEYS[1] ticket
-- KEYS[2] keys of the tickets of the caller, by the time when they end
--
-- ARGV[1] what it grants
-- ARGV[2] milliseconds until it ends
-- ARGV[3] how many tickets the caller may have

--- @include "rules/store-time"

local ticket, tickets = KEYS[1], KEYS[2]
local grant, life, most = ARGV[1], tonumber(ARGV[2]), tonumber(ARGV[3])
local now = storeTime()
rcall("ZREMRANGEBYSCORE", tickets, "-inf", now)
if rcall("ZCARD", tickets) >= most then rcall("DEL", rcall("ZPOPMIN", tickets)[1]) end
rcall("SET", ticket, grant, "PX", life)
rcall("ZADD", tickets, now + life, ticket)
-- All tickets last equally long.
rcall("PEXPIRE", tickets, life)
