-- In TypeScript: domain/transitions/limit-use
-- Reads how much of some limits is in use. Returns for each its settings as JSON, how many calls run, how many of them
-- are of a queue, what the starts in the window count, and in how many ms the limiter
-- allows the next one, that of the queue if there is one; an empty
-- list for a limit that does not exist.
--
-- REST: of each limit its name, and a queue or an empty text
--- @include "attempts/costs"
--- @include "reading/next-job"
--- @include "reading/store-time"
--- @include "limits/limit-keys"
--- @include "limits/limit-window"

-- What the start of the next job of a queue counts.
local function costOfNext(queue)
  local prefix = start .. queue .. ":"
  local costs = costsOf(prefix)
  return costs.isPlain() and 1 or costs.of(nextJob(prefix, rcall("HEXISTS", prefix .. "meta", GROUPED) == 1))
end

local uses, root, now = {}, string.sub(start, 1, -2) .. OWN_KEY, storeTime()
for index = REST, #ARGV, 2 do
  local name, queue = ARGV[index], ARGV[index + 1]
  local settings, calls, starts = limitSettings(root, name), root .. LIMIT_CALLS .. name, root .. LIMIT_STARTS .. name
  local limiter = settings and settings.limiter
  uses[#uses + 1] = settings and {limitText(root, name), rcall("ZCARD", calls),
    queue == "" and 0 or rcall("ZLEXCOUNT", calls, "[" .. queue .. ":", "(" .. queue .. ";"),
    limiter and limiter.max - startsLeftIn(starts, limiter, now) or 0,
    limiter and math.ceil(untilStartIn(starts, limiter, now, queue == "" and 1 or costOfNext(queue))) or 0} or {}
end
return uses
