--- @include "groups/group-room"

-- The facts about a queue that the step needs which adds jobs to several. A key of another type than is expected stops
-- the step here, or in queuesOfFlow; the list and the marker of a queue whose jobs are plain are for pushPlain to try.
--
-- isPlain: whether all jobs go to the lists of their queues, behind others
local function queueOfFlow(prefix, name, maxWaiting, ofGroup, isPlain)
  local base = prefix .. ":" .. name .. ":"
  local maxEvents, paused, concurrency, listed, isGrouped =
    unpack(rcall("HMGET", base .. "meta", "opts.maxLenEvents", "paused", "concurrency", LISTED, GROUPED))
  local running = concurrency and rcall("LLEN", base .. "active") or 0
  if isGrouped or not isPlain then
    rcall("LLEN", base .. "wait")
    for _, set in ipairs({"marker", "delayed", "prioritized", "waiting-children", EXPIRING}) do
      rcall("ZCARD", base .. set)
    end
  end
  local isStartable = not paused and not (concurrency and running >= tonumber(concurrency))
  return {name = name, base = base, maxWaiting = tonumber(maxWaiting), maxEvents = maxEvents, isListed = listed,
    isStartable = isStartable, isGrouped = isGrouped, isPlain = isPlain and not isGrouped, toWait = 0, jobs = 0,
    plain = {}, payloads = {}, addToGroup = not isPlain and roomOfGroups(base, tonumber(ofGroup))}
end

-- The queues of some jobs with their counters, which are read with few commands for all, as the types of their events
-- are checked; and the error of a counter that is none.
--
-- terms: of each queue its name and the most jobs that may wait there, and of a group there, if there are bounds, with
-- colons between them and the end of a line behind
local function queuesOfFlow(prefix, terms, isPlain)
  local queues, counters, streams = {}, {}, {}
  for name, most, ofGroup in string.gmatch(terms, "([^:]*):(%d*):(%d*)\n") do
    queues[#queues + 1] = queueOfFlow(prefix, name, most, ofGroup, isPlain)
  end
  if #queues == 0 then return queues end
  for index, queue in ipairs(queues) do
    counters[index], streams[index], streams[#queues + index] = queue.base .. "id", queue.base .. "events", "$"
  end
  for _, queue in ipairs(queues) do
    if not queue.isPlain then counters[#counters + 1] = queue.base .. "pc" end
  end
  rcall("XREAD", "STREAMS", unpack(streams))
  local numbers = rcall("MGET", unpack(counters))
  for index, key in ipairs(counters) do
    -- MGET passes over a key of another type.
    local number = tonumber(numbers[index] or rcall("GET", key) or 0)
    if not number then return nil, redis.error_reply("WRONGTYPE " .. key .. " is not a number") end
    if queues[index] then queues[index].number = number end
  end
  return queues
end
