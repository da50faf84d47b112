-- Saves what one source counted of the calls of a queue in a minute, unless the queue is gone.
--
-- figures: its figures as JSON

if rcall("EXISTS", meta) == 0 then return end
rcall("HSET", minute, source, figures)
rcall("PEXPIRE", minute, kept)
