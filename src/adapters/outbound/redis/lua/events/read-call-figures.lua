-- Reads what all sources counted of the calls of some queues in some minutes. Returns for each queue a list of figures
-- as JSON.
--
-- REST: what stands before a minute in the keys of a queue's figures, apart from the hyphen

local answer = {}
for place = REST, #ARGV do
  local found = {}
  for minute = first, last do
    for _, figures in ipairs(rcall("HVALS", string.format("%s-%d", ARGV[place], minute))) do
      found[#found + 1] = figures
    end
  end
  answer[#answer + 1] = found
end
return answer
