-- Removes queues from the registry that other clients have deleted. Returns the names of the queues that are there.
--
-- KEYS[1] registry of queues
--
-- ARGV[1] what stands before a queue's name in its keys
-- ARGV[2…] names of queues

local rcall = redis.call
-- The keys of a queue's metadata and of the places of its jobs. One of them is there as long as the queue is.
local function placesOf(queue)
  return queue .. ":meta", queue .. ":active", queue .. ":wait", queue .. ":paused", queue .. ":prioritized",
    queue .. ":delayed", queue .. ":completed", queue .. ":failed", queue .. ":waiting-children"
end

local registry = KEYS[1]
local there, gone = {}, {}
for index = 2, #ARGV do
  local found = rcall("EXISTS", placesOf(ARGV[1] .. ARGV[index])) > 0 and there or gone
  found[#found + 1] = ARGV[index]
end
if #gone > 0 then rcall("ZREM", registry, unpack(gone)) end
return there
