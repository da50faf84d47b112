--- @include "attempts/starts"
--- @include "groups/group-starts"
--- @include "limits/limits"
--- @include "reading/store-time"

-- Takes the start that a job is about to lose off a limiter of BullMQ, or adds to it: `by` may be negative. What was
-- counted in a window of it that is over stays there. The largest integer in the window stops the queue for a time, and
-- stays.
local function countInBullWindow(limiter, at, duration, by)
  local count = tonumber(rcall("GET", limiter) or "") or 0
  if count == 0 or count >= LARGEST_NUMBER then return end
  local began = storeTime() + rcall("PTTL", limiter) - duration
  if at >= began - 1 then rcall("INCRBY", limiter, math.max(by, -count)) end
end

-- Sets what the start of the running attempt of a job counts, or takes it back where no cost is given: an attempt whose
-- start no limiter counted has none.
local function countAnew(queue, id, group, cost, token)
  local counted = rcall("HGET", queue.prefix .. id, COUNTED)
  if not counted then return end
  local start, duration = string.match(counted, "^([^:]+):?(%d*)$")
  local before = costOfStart(start)
  if cost == before then return end
  local isLimited = rcall("HEXISTS", queue.meta, LIMITED) == 1
  local windows = isLimited and limitRules().windows(queue.prefix, token, (cost or 0) < before) or {}
  windows[#windows + 1] = queue.prefix .. STARTS
  if group then windows[#windows + 1] = groupStarts(queue.prefix, group) end
  for _, starts in ipairs(windows) do
    if cost then correctStart(starts, start, cost) else takeBackStart(starts, start) end
  end
  if cost then rcall("HSET", queue.meta, COSTED, "1") end
  if duration ~= "" then
    countInBullWindow(queue.limiter, tonumber(start), tonumber(duration), (cost or 0) - before)
  end
end
