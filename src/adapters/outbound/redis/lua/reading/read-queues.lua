-- Looks at each of some queues. Returns for each whether it is paused, its summary, how many of its jobs are suspended,
-- who paused it and, when it is held, since and until when (epoch ms) and by whom; or nothing where there is no queue,
-- and where keys of its names hold something else.
--
-- REST: names of queues
--- @include "attempts/held"
--- @include "reading/queue-summary"

local function glance(prefix)
  local summary, jobs = summaryOf(prefix), 0
  for _, count in ipairs(summary[1]) do jobs = jobs + count end
  if jobs == 0 and rcall("EXISTS", prefix .. "meta") == 0 then return false end
  local settings = rcall("HMGET", prefix .. "meta", "paused", GATED, STOP)
  local isPaused, stop = settings[1] and 1 or 0, settings[1] and settings[3] or ""
  -- A native client has resumed the queue, and may pause it again.
  if settings[3] and not settings[1] then rcall("HDEL", prefix .. "meta", STOP) end
  local suspended = rcall("SCARD", prefix .. SUSPENDED)
  if not settings[2] then return {isPaused, summary, suspended, stop} end
  return {isPaused, summary, suspended, stop, holdOf(prefix)}
end

local glances = {}
for index = REST, #ARGV do
  local isRead, answer = pcall(glance, start .. ARGV[index] .. ":")
  glances[#glances + 1] = isRead and answer
end
return glances
