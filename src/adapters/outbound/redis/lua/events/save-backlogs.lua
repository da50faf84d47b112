-- Saves how much waited in some queues at the end of a minute, of those that are there.
--
-- KEYS[1] registry of queues, for its slot
--
-- ARGV[1] what stands before a queue's name in its keys
-- ARGV[2] what stands between the name and the group of the minute
-- ARGV[3] what stands between the name and the group of the hour
-- ARGV[4] minute
-- ARGV[5] hour
-- ARGV[6] for how long minutes are kept, in ms
-- ARGV[7] for how long hours are kept, in ms
-- ARGV[8…] of each queue its name and what waited

for index = 8, #ARGV, 2 do
  local prefix, backlog = ARGV[1] .. ARGV[index] .. ":", ARGV[index + 1]
  if rcall("EXISTS", prefix .. "meta") == 1 then
    local minutes, hours = prefix .. ARGV[2], prefix .. ARGV[3]
    rcall("HSET", minutes, ARGV[4], backlog)
    rcall("PEXPIRE", minutes, ARGV[6])
    rcall("HSET", hours, ARGV[5], ARGV[4] .. "," .. backlog)
    rcall("PEXPIRE", hours, ARGV[7])
  end
end
