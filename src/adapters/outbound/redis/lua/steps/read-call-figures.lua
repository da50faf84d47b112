-- Reads what all sources counted of the calls of some queues in some minutes. Returns for each queue a list of figures
-- as JSON.
--
-- KEYS[1] registry of queues, for its slot
--
-- ARGV[1] first minute
-- ARGV[2] last minute
-- ARGV[3…] what stands before a minute in the keys of a queue's figures, apart from the hyphen

local first, last = tonumber(ARGV[1]), tonumber(ARGV[2])
local answer = {}
for place = 3, #ARGV do
  local found = {}
  for minute = first, last do
    for _, figures in ipairs(rcall("HVALS", string.format("%s-%d", ARGV[place], minute))) do
      found[#found + 1] = figures
    end
  end
  answer[#answer + 1] = found
end
return answer
