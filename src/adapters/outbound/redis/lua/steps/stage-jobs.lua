-- Stores the hashes of some jobs under keys that no client reads, for a limited time: until steps/add-staged gives them
-- their names. In one run, so that none is ever left that does not expire.
--
-- KEYS[1] what stands before the numbers of the jobs
--
-- ARGV[1] number of the first of them
-- ARGV[2] how long they are kept, in ms
-- ARGV[3…] of each job the number of arguments of its hash, and these
local staged, number, kept = KEYS[1], tonumber(ARGV[1]), ARGV[2]
local index = 3
while index <= #ARGV do
  local last = index + tonumber(ARGV[index])
  rcall("HSET", staged .. number, unpack(ARGV, index + 1, last))
  rcall("PEXPIRE", staged .. number, kept)
  index, number = last + 1, number + 1
end
