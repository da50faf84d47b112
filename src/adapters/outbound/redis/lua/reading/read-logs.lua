-- Reads lines of a job's log. Returns the number of lines, the bytes that they take together, estimated where there are
-- very many, and unless that is more than one command reads the lines asked for; nothing without a job.
--- @include "adds/staged-number"

-- Estimated bytes of a line where the store cannot report the size of the log.
local PRESUMED_LINE = 65536

if rcall("TYPE", job).ok ~= "hash" or rcall("HEXISTS", job, "timestamp") == 0 or isStagedJob(job) then
  return false
end
local count = rcall("LLEN", logs)
local size = redis.pcall("MEMORY", "USAGE", logs, "SAMPLES", "1000")
if type(size) ~= "number" then size = count * PRESUMED_LINE end
if size > LARGEST_PIECE then return {count, size} end
if tonumber(last) < tonumber(first) then return {count, size, {}} end
return {count, size, rcall("LRANGE", logs, first, last)}
