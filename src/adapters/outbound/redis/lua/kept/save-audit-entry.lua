-- Stores an entry of the audit in place of one with its id, or removes it. Beyond the number that is kept, the oldest
-- go.
--
-- entry: as JSON; empty to remove it
-- kept: how many are kept

-- The write that takes no memory goes first, or a store whose memory is used up refuses all of them. Nobody could
-- remove jobs from it then, since what cannot be recorded in the audit is not done.
rcall("ZREM", ids, id)
if entry == "" then
  rcall("HDEL", entries, id)
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
