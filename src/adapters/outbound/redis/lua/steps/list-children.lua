-- Returns the keys of all children of a job at one moment, as BullMQ keeps them with it, in four lists.
--
-- KEYS[1] those that completed
-- KEYS[2] those that failed and were passed over
-- KEYS[3] those that failed it
-- KEYS[4] those that it waits for
local completed, passedOver, failed, awaited = KEYS[1], KEYS[2], KEYS[3], KEYS[4]
return {
  rcall("HKEYS", completed), rcall("HKEYS", passedOver), rcall("ZRANGE", failed, 0, -1), rcall("SMEMBERS", awaited)}
