-- In TypeScript: domain/transitions/remove-ended
-- Removes jobs that ended, the oldest first, that the retention of some queues does not keep, as the end of another
-- job removes them. Returns how many, and the number of the queue, from 1, at which the run had done enough; 0 when
-- there is nothing more to do.
--
-- REST: of each queue its name, and of completed and then of failed jobs until when (epoch ms) those ended that go, and
--   how many stay, or empty texts
--- @include "bullmq/removeJob"
--- @include "groups/freed-group"

callersTime = now
local removed, bytes = 0, 0

local function hasDoneEnough()
  return removed >= most or bytes >= MOST_FREED
end

local function removeEnded(prefix, id, mayBlock)
  local job = prefix .. id
  for _, field in ipairs({"data", "returnvalue"}) do bytes = bytes + rcall("HSTRLEN", job, field) end
  local group = mayBlock and rcall("HGET", job, GROUP)
  if group then freeGroup(prefix, group, id) end
  removeJob(id, false, prefix, false)
  removed = removed + 1
end

local function removeBeyond(prefix, state, endedBy, downTo)
  local set = prefix .. state
  local size = rcall("ZCARD", set)
  if size == 0 then return end
  local beyond = downTo ~= "" and size - tonumber(downTo) or 0
  if endedBy ~= "" then beyond = math.max(beyond, rcall("ZCOUNT", set, "-inf", endedBy)) end
  if beyond <= 0 then return end
  local mayBlock = state == "failed" and rcall("EXISTS", prefix .. GROUP_BLOCKS) == 1
  for _, id in ipairs(rcall("ZRANGE", set, 0, math.min(beyond, most - removed) - 1)) do
    if hasDoneEnough() then break end
    -- First, so that a key which is no job does not stop every later run.
    rcall("ZREM", set, id)
    removeEnded(prefix, id, mayBlock)
  end
end

local number = 0
for index = REST, #ARGV, 5 do
  number = number + 1
  local prefix = start .. ARGV[index] .. ":"
  for place, state in ipairs({"completed", "failed"}) do
    local endedBy, downTo = ARGV[index + 2 * place - 1], ARGV[index + 2 * place]
    if endedBy ~= "" or downTo ~= "" then removeBeyond(prefix, state, endedBy, downTo) end
    if hasDoneEnough() then return {removed, number} end
  end
end
return {removed, 0}
