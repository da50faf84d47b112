-- Returns the keys of all children of a job at one moment, as BullMQ keeps them with it, in four lists.

return {
  rcall("HKEYS", completed), rcall("HKEYS", passedOver), rcall("ZRANGE", failed, 0, -1), rcall("SMEMBERS", awaited)}
