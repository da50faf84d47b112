-- The first entry of each stream that may have dropped entries. Returns their ids, empty for a stream below its maximum
-- length.
--
-- REST: names of queues

local firsts = {}
for index = REST, #ARGV do
  local queue = start .. ARGV[index]
  local length = rcall("XLEN", queue .. ":events")
  local most = tonumber(rcall("HGET", queue .. ":meta", "opts.maxLenEvents") or 0)
  local first = length >= most and rcall("XRANGE", queue .. ":events", "-", "+", "COUNT", 1)[1]
  firsts[#firsts + 1] = first and first[1] or ""
end
return firsts
