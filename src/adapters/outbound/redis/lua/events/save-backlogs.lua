-- Saves how much waited in some queues at the end of a minute, of those that are there.
--
-- minutes: what stands between the name of a queue and the group of the minute
-- hours: what stands between the name and the group of the hour
-- minutesKept: for how long minutes are kept, in ms
-- hoursKept: for how long hours are kept, in ms
-- REST: of each queue its name and what waited

for index = REST, #ARGV, 2 do
  local prefix, backlog = start .. ARGV[index] .. ":", ARGV[index + 1]
  if rcall("EXISTS", prefix .. "meta") == 1 then
    rcall("HSET", prefix .. minutes, minute, backlog)
    rcall("PEXPIRE", prefix .. minutes, minutesKept)
    rcall("HSET", prefix .. hours, hour, minute .. "," .. backlog)
    rcall("PEXPIRE", prefix .. hours, hoursKept)
  end
end
