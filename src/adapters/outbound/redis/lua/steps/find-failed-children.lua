-- Finds for each of some queues a job that failed for good and keeps one of the queue's oldest parents waiting. Returns
-- its key, or an empty text.
--
-- KEYS[1] registry of queues, for its slot
--
-- ARGV[1] most parents of a queue
-- ARGV[2] most jobs below them
-- ARGV[3…] of each queue its job key prefix
--- @include "rules/awaited-below"

local most, room = tonumber(ARGV[1]), tonumber(ARGV[2])

local function failedChild(prefix)
  local below = {left = room}
  for _, parent in ipairs(rcall("ZRANGE", prefix .. "waiting-children", 0, most - 1)) do
    if below.left <= 0 then break end
    local job, isFailed = awaitedBelow(prefix .. parent, below)
    if isFailed then return job end
  end
  return ""
end

local found = {}
for index = 3, #ARGV do found[index - 2] = failedChild(ARGV[index]) end
return found
