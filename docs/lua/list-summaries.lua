-- Reads one page of the jobs of some states. Returns, all of the same moment, the counts of all states, the ids of the
-- page, and the summaries of the first of its jobs, as many as one command may read.
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
-- ARGV[2] where the page starts
-- ARGV[3] its length
-- ARGV[4…10] "1" or "0" for each state in the order of the counts: active, waiting, prioritized, delayed, completed,
-- failed, waiting for children

local rcall = redis.call
-- The id of a job from what the set of the waiting jobs of groups has for it: the group, a zero, an order of 20 digits, the
-- id.
local function idInGroup(member) return string.match(member, "%z....................(.*)$") end

-- The counts of the states of a queue, in the order of their places, and the ids of one page of the jobs of some states.
-- The offset runs over the states together, so pages partition the jobs. A state is "1" where it is wanted. Waiting jobs
-- are in two lists where an older BullMQ paused the queue.
local function pageOfJobs(active, wait, paused, prioritized, delayed, completed, failed, waitingChildren, start, length,
  wanted)
  local skip, room = tonumber(start), tonumber(length)
  local states = {{active}, {wait, paused, string.sub(wait, 1, -5) .. "jobgate:group-waiting"}, {prioritized}, {delayed}, {completed}, {failed}, {waitingChildren}}
  local counts, page = {}, {}
  for index, keys in ipairs(states) do
    local total = 0
    for place, key in ipairs(keys) do
      local isList, isOfGroups = index <= 2, index == 2 and place == 3
      if isOfGroups then isList = false end
      local size = rcall(isList and "LLEN" or "ZCARD", key)
      total = total + size
      if wanted[index] == "1" then
        if skip >= size then
          skip = skip - size
        elseif room > 0 then
          local first, last = string.format("%.0f", skip), string.format("%.0f", skip + room - 1)
          local ids = rcall(isList and "LRANGE" or "ZREVRANGE", key, first, last)
          for _, id in ipairs(ids) do
            page[#page + 1] = isOfGroups and idInGroup(id) or id
          end
          room = room - #ids
          skip = 0
        end
      end
    end
    counts[index] = total
  end
  return counts, page
end
-- Returns a function that returns the state of a job of one queue, given its id and two of its times. A job that is
-- nowhere else waits, since the waiting list can only be searched from end to end. Which other places exist is asked
-- once, so no job may move into a new one between two calls.
local function statesIn(prefix)
  local isElsewhere
  local function isIn(place, id) return rcall("ZSCORE", prefix .. place, id) and true end
  return function(id, processedOn, finishedOn)
    if finishedOn and isIn("completed", id) then return "completed" end
    if finishedOn and isIn("failed", id) then return "failed" end
    if processedOn and rcall("LPOS", prefix .. "active", id) then return "active" end
    if isElsewhere == nil then
      isElsewhere = rcall("EXISTS", prefix .. "delayed", prefix .. "prioritized", prefix .. "waiting-children") > 0
    end
    if not isElsewhere then return "waiting" end
    for _, place in ipairs({"delayed", "prioritized", "waiting-children"}) do
      if isIn(place, id) then return place end
    end
    return "waiting"
  end
end

-- Longest beginning of a reason, in bytes: 200 characters of four bytes, and the first of another one.
local LONGEST_REASON = 801

-- Longest name, options, link to the parent and progress that are read, in bytes. Longer progress is no number.
local LONGEST_FIELD = 16384
local LONGEST_NUMBER = 32

-- Most jobs that one command may read.
local MOST_SUMMARIES = 200

-- The summaries of some jobs in order, from position `first` of the ids on: of each its state, its name, three times,
-- its priority, how many attempts were made, options, progress, reason, the beginning of the record of its last attempt,
-- its parent, the bytes of its data and the score of its delay; nothing where there is no job.
local function summariesOf(prefix, ids, first)
  local stateOf = statesIn(prefix)

  local function short(job, field, longest, absent)
    local length = rcall("HSTRLEN", job, field)
    if length == 0 then return absent or "" end
    return length <= longest and rcall("HGET", job, field) or ""
  end

  local function lastAttempt(job)
    local recorded = rcall("HGET", job, "jobgate:attempts")
    return recorded and string.match(recorded, '([^\n]*)$'):match('^%[%d+,%d+,%d+,"%a",[^,%]]+') or ""
  end

  local function read(id)
    local job = prefix .. id
    local values = redis.pcall("HMGET", job, "timestamp", "processedOn", "finishedOn", "priority", "atm", "attemptsMade")
    if values.err or not values[1] then return false end
    local state = stateOf(id, values[2], values[3])
    local reason = rcall("HGET", job, "failedReason")
    return {state, short(job, "name", LONGEST_FIELD), values[1], values[2] or "", values[3] or "", values[4] or "",
      values[5] or values[6] or "", short(job, "opts", LONGEST_FIELD), short(job, "progress", LONGEST_NUMBER, "0"),
      reason and string.sub(reason, 1, LONGEST_REASON) or false, lastAttempt(job), short(job, "parent", LONGEST_FIELD),
      rcall("HSTRLEN", job, "data"), state == "delayed" and rcall("ZSCORE", prefix .. "delayed", id) or ""}
  end

  local summaries = {}
  for index = first, math.min(#ids, first + MOST_SUMMARIES - 1) do summaries[#summaries + 1] = read(ids[index]) end
  return summaries
end

local counts, page = pageOfJobs(KEYS[1], KEYS[2], KEYS[3], KEYS[4], KEYS[5], KEYS[6], KEYS[7], KEYS[8],
  ARGV[2], ARGV[3], {unpack(ARGV, 4)})
return {counts, page, summariesOf(ARGV[1], page, 1)}
