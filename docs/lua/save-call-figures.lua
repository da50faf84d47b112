-- Saves what one source counted of the calls of a queue in a minute, unless the queue is gone.
--
-- KEYS[1] figures of the minute
-- KEYS[2] meta
--
-- ARGV[1] source
-- ARGV[2] its figures as JSON
-- ARGV[3] how long the minute is kept, in ms

local rcall = redis.call

local minute, meta = KEYS[1], KEYS[2]
local source, figures, kept = ARGV[1], ARGV[2], ARGV[3]
if rcall("EXISTS", meta) == 0 then return end
rcall("HSET", minute, source, figures)
rcall("PEXPIRE", minute, kept)
