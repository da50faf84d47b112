-- Stores some jobs of a batch under keys that no client reads, for a limited time.
--
-- KEYS[1] what stands before the numbers of the jobs
--
-- ARGV[1] number of the first of them
-- ARGV[2] how long they are kept, in ms
-- ARGV[3] timestamp
-- ARGV[4…] of each job its place, name, data and options

local rcall = redis.call
-- Takes apart where a job goes, as TypeScript's `placeOf` puts it together; behind the others its cost and group, if it
-- has one.
local function placeOf(place)
  if place == "" then return "0", "0", "0", "", "0" end
  local cost, group
  if string.find(place, "\0", 1, true) then place, cost, group = string.match(place, "^(.-)%z(%d+):(.*)$") end
  local delay, priority, lifo, ttl, id = string.match(place, "^(%d+):(%d+):(%d):(%d+):(.*)$")
  return delay, priority, lifo, id, ttl, cost, group
end

local staged = KEYS[1]
local first, kept, timestamp = tonumber(ARGV[1]), ARGV[2], ARGV[3]
for index = 4, #ARGV, 4 do
  local delay, priority = placeOf(ARGV[index])
  local job = staged .. first + (index - 4) / 4
  rcall("HSET", job, "name", ARGV[index + 1], "data", ARGV[index + 2], "opts", ARGV[index + 3],
    "timestamp", timestamp, "delay", delay, "priority", priority)
  rcall("PEXPIRE", job, kept)
end
