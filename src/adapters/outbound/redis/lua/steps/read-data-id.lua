-- Returns the id of the stored data. Data without one get it now.
--
-- KEYS[1] id of the data
--
-- ARGV[1] the id for data without one

local id = rcall("GET", KEYS[1])
if id then return id end
rcall("SET", KEYS[1], ARGV[1])
return ARGV[1]
