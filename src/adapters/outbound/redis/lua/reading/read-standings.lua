-- In TypeScript: domain/transitions/standing
-- Looks at what decides whether jobs of some queues start. Returns for each: how many calls run, the limit of the
-- queue itself, when the latest active job started, for how long (ms) a limiter lets none start, when the next delayed
-- job is due, how long ago (ms) a client claimed, or -1, and of an open breaker since when, until when and why, and 1
-- when groups have jobs of which none may start; 0 or an empty text for what is not there.
--
-- REST: of each queue its name, and max and duration of the limiter of its worker, or two empty texts, and "1" when its
--   worker gets several jobs with one call
--- @include "bullmq/getNextDelayedTimestamp"
--- @include "attempts/costs"
--- @include "attempts/ending-calls"
--- @include "attempts/limiter"
--- @include "attempts/open-breaker"
--- @include "attempts/running-calls"
--- @include "reading/next-job"

-- Groups that were found ready may have come to a limit since: then they count as able to start until a claim finds
-- out.
local function areGroupsBlocked(prefix)
  return rcall("EXISTS", prefix .. GROUP_PARKED) == 1 and
    rcall("EXISTS", prefix .. GROUP_READY, prefix .. "wait", prefix .. "prioritized") == 0
end

local function standing(prefix, limiter, hasBatches)
  local active = prefix .. "active"
  local settings = rcall("HMGET", prefix .. "meta", GATED, "concurrency", "max", GROUPED)
  local running, since, till, reason = rcall("LLEN", active), 0, 0, ""
  if settings[1] then
    running = running + endingCalls(prefix)
    since, till, reason = openBreaker(prefix)
  end
  if hasBatches then running = runningCalls(prefix, active, settings[1], "") end
  local latest = rcall("LINDEX", active, 0)
  local started = latest and tonumber(rcall("HGET", prefix .. latest, "processedOn") or "") or 0
  local most, limited = tonumber(settings[3] or limiter and limiter.max), 0
  if most then
    local costs, queue = costsOf(prefix), {prefix = prefix, limiter = prefix .. "limiter"}
    local next = not costs.isPlain() and nextJob(prefix, settings[4]) or nil
    limited = limitedFor(queue, most, limiter, costs.of(next), costs.isPlain())
  end
  local due = getNextDelayedTimestamp(prefix .. "delayed")
  local claimed = tonumber(rcall("GET", prefix .. CLAIMED) or "")
  return {running, tonumber(settings[2] or "") or 0, started, limited, due and math.floor(due) or 0,
    claimed and math.max(0, math.floor(storeTime() - claimed)) or -1, since, till, reason,
    settings[4] and areGroupsBlocked(prefix) and 1 or 0}
end

local standings = {}
for index = REST, #ARGV, 4 do
  local max, duration = tonumber(ARGV[index + 1]), tonumber(ARGV[index + 2])
  local limiter = max and {max = max, duration = duration}
  standings[#standings + 1] = standing(start .. ARGV[index] .. ":", limiter, ARGV[index + 3] == "1")
end
return standings
