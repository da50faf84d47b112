--- @include "groups/group-room"

-- The facts about a queue that the step needs which adds a flow. A key of another type than is expected stops the step
-- here; where all jobs are plain, which go to the list behind others, those of other places are not touched.
local function queueOfFlow(prefix, name, maxWaiting, ofGroup, isPlain)
  local base = prefix .. ":" .. name .. ":"
  local maxEvents, paused, concurrency, listed, isGrouped =
    unpack(rcall("HMGET", base .. "meta", "opts.maxLenEvents", "paused", "concurrency", LISTED, GROUPED))
  local running = concurrency and rcall("LLEN", base .. "active") or 0
  rcall("LLEN", base .. "wait")
  rcall("XLEN", base .. "events")
  for _, set in ipairs(isPlain and {"marker"} or {"marker", "delayed", "prioritized", "waiting-children", EXPIRING}) do
    rcall("ZCARD", base .. set)
  end
  for _, counter in ipairs(isPlain and {"id"} or {"pc", "id"}) do
    if not tonumber(rcall("GET", base .. counter) or 0) then
      return nil, redis.error_reply("WRONGTYPE " .. base .. counter .. " is not a number")
    end
  end
  local isStartable = not paused and not (concurrency and running >= tonumber(concurrency))
  return {name = name, base = base, maxWaiting = tonumber(maxWaiting), maxEvents = maxEvents, isListed = listed,
    isStartable = isStartable, isGrouped = isGrouped, toWait = 0, jobs = 0,
    addToGroup = not isPlain and roomOfGroups(base, tonumber(ofGroup))}
end
