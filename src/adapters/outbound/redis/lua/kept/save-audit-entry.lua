-- Stores an entry of the audit in place of one with its id, or removes it. Beyond the number that is kept, the oldest
-- go.
--
-- KEYS[1] entries
-- KEYS[2] their ids
--
-- ARGV[1] id
-- ARGV[2] entry as JSON; empty to remove it
-- ARGV[3] how many are kept

local entries, ids = KEYS[1], KEYS[2]
local id, entry, kept = ARGV[1], ARGV[2], tonumber(ARGV[3])
if entry == "" then
  rcall("HDEL", entries, id)
  rcall("ZREM", ids, id)
  return
end
rcall("HSET", entries, id, entry)
-- All scores are equal: the ids alone make the order.
rcall("ZADD", ids, 0, id)
local excess = rcall("ZCARD", ids) - kept
if excess > 0 then
  -- A smaller number than before takes several steps, each of them short.
  local oldest = rcall("ZRANGE", ids, 0, math.min(excess, 1000) - 1)
  rcall("HDEL", entries, unpack(oldest))
  rcall("ZREM", ids, unpack(oldest))
end
