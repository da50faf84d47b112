-- Returns the bytes that some jobs of a queue take in an answer, together.
--
-- REST: the ids
--- @include "adds/job-bytes"

local bytes = 0
for index = REST, #ARGV do
  local job = prefix .. ARGV[index]
  if rcall("TYPE", job).ok == "hash" then bytes = bytes + bytesOf(job) end
end
return bytes
