-- Reads jobs for a tree. Returns for each what it returned to the job above it, 1 where that is too long; and when the
-- job is there its state, its fields as reading/rows has them, and how many kinds of children it has.
--
-- longest: the most bytes of a value
-- count: how many fields to read
-- REST: the fields, then for each job the key prefix of its queue and its id
--- @include "reading/rows"

local names, answers = {unpack(ARGV, REST, REST + count - 1)}, {}
for index = REST + count, #ARGV, 2 do
  local prefix, id = ARGV[index], ARGV[index + 1]
  local job = prefix .. id
  local isLong = rcall("HSTRLEN", returned, job) > longest
  local row = rowsOf(prefix, {id}, names, longest, statesIn(prefix))[1] or {false, false}
  answers[#answers + 1] = {isLong and 1 or rcall("HGET", returned, job), row[1], row[2], rcall("EXISTS",
    job .. ":dependencies", job .. ":processed", job .. ":failed", job .. ":unsuccessful")}
end
return answers
