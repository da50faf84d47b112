-- Looks at each of some queues. Returns for each whether it is paused, its summary, how many of its jobs are suspended
-- and, when it is held, since and until when (epoch ms) and by whom; or nothing where there is no queue, and where keys
-- of its names hold something else.
--
-- REST: names of queues
--- @include "attempts/held"
--- @include "reading/queue-summary"

local function glance(prefix)
  local summary, jobs = summaryOf(prefix), 0
  for _, count in ipairs(summary[1]) do jobs = jobs + count end
  if jobs == 0 and rcall("EXISTS", prefix .. "meta") == 0 then return false end
  local settings = rcall("HMGET", prefix .. "meta", "paused", GATED)
  local isPaused = settings[1] and 1 or 0
  local suspended = rcall("SCARD", prefix .. SUSPENDED)
  if not settings[2] then return {isPaused, summary, suspended} end
  return {isPaused, summary, suspended, holdOf(prefix)}
end

local glances = {}
for index = REST, #ARGV do
  local isRead, answer = pcall(glance, start .. ARGV[index] .. ":")
  glances[#glances + 1] = isRead and answer
end
return glances
