-- Saves what one source counted of a queue in a minute and in the hour of it, why jobs failed in the minute, and its
-- latest calls, unless the queue is gone.
--
-- minute: when the minute began, epoch ms
-- REST: of each entry of a hash its key, for how long the hash is kept (ms), its field and its text

if rcall("EXISTS", meta) == 0 then return end
for index = REST, #ARGV, 4 do
  rcall("HSET", ARGV[index], ARGV[index + 2], ARGV[index + 3])
  rcall("PEXPIRE", ARGV[index], ARGV[index + 1])
end
rcall("ZADD", counted, minute, queue)
if hasFailed then rcall("ZADD", failing, minute, queue) end
