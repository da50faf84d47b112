-- The first entry of each stream that may have dropped entries. Returns their ids, empty for a stream below its maximum
-- length.
--
-- KEYS[1] registry of queues, for its slot
--
-- ARGV[1] what stands before a queue's name in its keys
-- ARGV[2…] names of queues

local rcall = redis.call
local firsts = {}
for index = 2, #ARGV do
  local queue = ARGV[1] .. ARGV[index]
  local length = rcall("XLEN", queue .. ":events")
  local most = tonumber(rcall("HGET", queue .. ":meta", "opts.maxLenEvents") or 0)
  local first = length >= most and rcall("XRANGE", queue .. ":events", "-", "+", "COUNT", 1)[1]
  firsts[index - 1] = first and first[1] or ""
end
return firsts
