-- Looks at each of some queues. Returns for each whether it is paused, its summary and, when it is held, since and
-- until when (epoch ms) and by whom; or nothing where there is no queue, and where keys of its names hold something
-- else.
--
-- REST: names of queues
--- @include "rules/held"
--- @include "rules/queue-places"
--- @include "rules/queue-summary"

local function glance(queue)
  local meta, active, wait, paused, prioritized, delayed, completed, failed, waitingChildren = placesOf(queue)
  local summary =
    summaryOf(active, wait, paused, prioritized, delayed, completed, failed, waitingChildren, queue .. ":")
  local jobs = 0
  for _, count in ipairs(summary[1]) do jobs = jobs + count end
  if jobs == 0 and rcall("EXISTS", meta) == 0 then return false end
  local settings = rcall("HMGET", meta, "paused", GATED)
  local isPaused = settings[1] and 1 or 0
  if not settings[2] then return {isPaused, summary} end
  return {isPaused, summary, holdOf(queue .. ":")}
end

local glances = {}
for index = REST, #ARGV do
  local isRead, answer = pcall(glance, start .. ARGV[index])
  glances[#glances + 1] = isRead and answer
end
return glances
