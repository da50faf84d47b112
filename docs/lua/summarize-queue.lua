-- Returns the counts of a queue's states, and since when the job has waited that waits longest, if one does.
--
-- KEYS[1] active
-- KEYS[2] wait
-- KEYS[3] paused
-- KEYS[4] prioritized
-- KEYS[5] delayed
-- KEYS[6] completed
-- KEYS[7] failed
-- KEYS[8] waiting for children
--
-- ARGV[1] job key prefix

local rcall = redis.call
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

return summaryOf(KEYS[1], KEYS[2], KEYS[3], KEYS[4], KEYS[5], KEYS[6], KEYS[7], KEYS[8], ARGV[1])
