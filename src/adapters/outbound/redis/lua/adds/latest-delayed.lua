-- Returns for each of some milliseconds the score of the last delayed job that is due then, or nothing.
--
-- REST: the milliseconds, in epoch ms

local answers = {}
for index, due in ipairs(ARGV) do
  local least = due * 0x1000
  local last = rcall("ZREVRANGEBYSCORE", delayed, string.format("%.0f", least + 0xfff), string.format("%.0f", least),
    "WITHSCORES", "LIMIT", 0, 1)
  answers[index] = last[2] or false
end
return answers
