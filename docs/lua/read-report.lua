-- Returns the remembered report on an attempt, or nothing.
--
-- KEYS[1] the report

local rcall = redis.call

return rcall("GET", KEYS[1])
