-- The keys of a queue's metadata and of the places of its jobs. One of them is there as long as the queue is.
local function placesOf(queue)
  return queue .. ":meta", queue .. ":active", queue .. ":wait", queue .. ":paused", queue .. ":prioritized",
    queue .. ":delayed", queue .. ":completed", queue .. ":failed", queue .. ":waiting-children"
end
