-- Returns the bytes that some jobs of a queue take in an answer, together.
--
-- KEYS[1] meta, for its slot
--
-- ARGV[1] job key prefix
-- ARGV[2…] ids
--- @include "rules/job-bytes"

local bytes = 0
for index = 2, #ARGV do
  local job = ARGV[1] .. ARGV[index]
  if rcall("TYPE", job).ok == "hash" then bytes = bytes + bytesOf(job) end
end
return bytes
