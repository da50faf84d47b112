-- Returns the remembered report on an attempt, or nothing.
--
-- KEYS[1] the report

return rcall("GET", KEYS[1])
