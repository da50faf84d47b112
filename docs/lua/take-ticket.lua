-- Takes a ticket, which is good for one use. Returns what it grants, or nothing.
--
-- KEYS[1] ticket

local rcall = redis.call

local ticket = KEYS[1]
local grant = rcall("GET", ticket)
rcall("DEL", ticket)
return grant
