-- Looks at each of some queues. Returns for each whether it is paused, its summary and, when it is held, since and
-- until when (epoch ms); or nothing where there is no queue, and where keys of its names hold something else.
--
-- KEYS[1] registry of queues, for its slot
--
-- ARGV[1] what stands before a queue's name in its keys
-- ARGV[2…] names of queues

local rcall = redis.call
-- The time on the store's own clock, which counts for all replicas, in epoch ms.
local function storeTime()
    local time = rcall("TIME")
    return tonumber(time[1]) * 1000 + tonumber(time[2]) / 1000
end

-- Until when a queue is held; nothing when it is not, or no more.
local function heldUntil(prefix)
    local till = tonumber(rcall("HGET", prefix .. "jobgate:gate", "heldUntil") or "")
    return till and till > storeTime() and till or nil
end

-- Since and until when a queue is held; nothing when it is not, or no more.
local function heldSpan(prefix)
    local till = heldUntil(prefix)
    if till then
        return tonumber(rcall("HGET", prefix .. "jobgate:gate", "heldSince")), till
    end
end
-- The keys of a queue's metadata and of the places of its jobs. One of them is there as long as the queue is.
local function placesOf(queue)
  return queue .. ":meta", queue .. ":active", queue .. ":wait", queue .. ":paused", queue .. ":prioritized",
    queue .. ":delayed", queue .. ":completed", queue .. ":failed", queue .. ":waiting-children"
end
-- The id of a job from what the set of the waiting jobs of groups has for it: the group, a zero, an order of 20 digits, the
-- id.
local function idInGroup(member) return string.match(member, "%z....................(.*)$") end
-- How far below the scores of its priority a job may go that was put back: room for as many jobs as run at once, again
-- and again. No queue has so many of the next higher priority that they reach that far.
local ROOM = 0x1000000

-- How far the scores of two neighbouring priorities are apart.
local PRIORITY_STEP = 0x100000000

-- The counts of all states, and when the job could start that has waited longest (as text, and only when one waits):
-- its timestamp and the delay that it was added with. It stands at an end of the waiting jobs, first of the prioritized
-- ones, or first of those of the lowest priority. Waiting jobs are in two lists where an older BullMQ paused the queue.
local function summaryOf(active, wait, paused, prioritized, delayed, completed, failed, waitingChildren, jobPrefix)
  local since
  local function look(id)
    local job = rcall("HMGET", jobPrefix .. id, "timestamp", "opts")
    local timestamp = tonumber(job[1] or nil)
    if not timestamp then return end
    local delay = 0
    -- Most jobs have none: to decode the options of all of them takes most of the time.
    if job[2] and string.find(job[2], '"delay"', 1, true) then
      local isJson, opts = pcall(cjson.decode, job[2])
      delay = isJson and type(opts) == "table" and tonumber(opts.delay) or 0
    end
    since = math.min(since or timestamp + delay, timestamp + delay)
  end

  local function lookAtEnds(list)
    local length = rcall("LLEN", list)
    if length > 0 then look(rcall("LINDEX", list, 0)) end
    if length > 1 then look(rcall("LINDEX", list, -1)) end
    return length
  end

  -- Of the groups some of the first and of the last will do: nobody knows which job of them all has waited longest.
  local function lookAtGroups()
    local waiting = jobPrefix .. "jobgate:group-waiting"
    local size = rcall("ZCARD", waiting)
    if size > 0 then
      for _, ends in ipairs({rcall("ZRANGE", waiting, 0, 9), rcall("ZRANGE", waiting, -10, -1)}) do
        for _, member in ipairs(ends) do look(idInGroup(member)) end
      end
    end
    return size
  end

  local function lookAtPriorities()
    local size = rcall("ZCARD", prioritized)
    if size > 0 then look(rcall("ZRANGE", prioritized, 0, 0)[1]) end
    if size > 1 then
      local last = tonumber(rcall("ZREVRANGE", prioritized, 0, 0, "WITHSCORES")[2])
      local lowest = string.format("%.0f", last - (last + ROOM) % PRIORITY_STEP)
      look(rcall("ZRANGEBYSCORE", prioritized, lowest, "+inf", "LIMIT", 0, 1)[1])
    end
    return size
  end

  local counts = {
    rcall("LLEN", active),
    lookAtEnds(wait) + lookAtEnds(paused) + lookAtGroups(),
    lookAtPriorities(),
    rcall("ZCARD", delayed),
    rcall("ZCARD", completed),
    rcall("ZCARD", failed),
    rcall("ZCARD", waitingChildren),
  }
  return {counts, since and string.format("%.0f", since)}
end

local function glance(queue)
  local meta, active, wait, paused, prioritized, delayed, completed, failed, waitingChildren = placesOf(queue)
  local summary =
    summaryOf(active, wait, paused, prioritized, delayed, completed, failed, waitingChildren, queue .. ":")
  local jobs = 0
  for _, count in ipairs(summary[1]) do jobs = jobs + count end
  if jobs == 0 and rcall("EXISTS", meta) == 0 then return false end
  local settings = rcall("HMGET", meta, "paused", "jobgate:gate")
  local isPaused = settings[1] and 1 or 0
  if not settings[2] then return {isPaused, summary} end
  return {isPaused, summary, heldSpan(queue .. ":")}
end

local glances = {}
for index = 2, #ARGV do
  local isRead, answer = pcall(glance, ARGV[1] .. ARGV[index])
  glances[index - 1] = isRead and answer
end
return glances
