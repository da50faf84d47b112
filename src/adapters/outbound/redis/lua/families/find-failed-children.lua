-- Finds for each of some queues a job that failed for good and keeps one of the queue's oldest parents waiting. Returns
-- its key, or an empty text.
--
-- most: most parents of a queue
-- room: most jobs below them
-- REST: of each queue its job key prefix
--- @include "families/awaited-below"

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
for index = REST, #ARGV do found[#found + 1] = failedChild(ARGV[index]) end
return found
