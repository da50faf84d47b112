--- @include "rules/job-state"

-- Longest beginning of a reason, in bytes: 200 characters of four bytes, and the first of another one.
local LONGEST_REASON = 801

-- Longest name, options, link to the parent and progress that are read, in bytes. Longer progress is no number.
local LONGEST_FIELD = 16384
local LONGEST_NUMBER = 32

-- Most jobs that one command may read.
local MOST_SUMMARIES = 200

-- The summaries of some jobs in order, from position `first` of the ids on: of each its state, its name, three times,
-- its priority, how many attempts were made, options, progress, reason, the beginning of the record of its last
-- attempt, its parent, the bytes of its data and the score of its delay; nothing where there is no job.
local function summariesOf(prefix, ids, first)
  local stateOf = statesIn(prefix)

  local function short(job, field, longest, absent)
    local length = rcall("HSTRLEN", job, field)
    if length == 0 then return absent or "" end
    return length <= longest and rcall("HGET", job, field) or ""
  end

  local function lastAttempt(job)
    local recorded = rcall("HGET", job, RECORDED)
    return recorded and string.match(recorded, '([^\n]*)$'):match('^%[%d+,%d+,%d+,"%a",[^,%]]+') or ""
  end

  local function read(id)
    local job = prefix .. id
    local values = redis.pcall("HMGET", job,
      "timestamp", "processedOn", "finishedOn", "priority", "atm", "attemptsMade")
    if values.err or not values[1] then return false end
    local state = stateOf(id, values[2], values[3])
    if not state then return false end
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
