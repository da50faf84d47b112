-- Finds jobs that ended and have their values, the first to end first, in the first of some queues that has any, in one
-- state. Returns nothing when no queue has any; else the number of the queue, from 1, the state, up to where it looked,
-- as REDACTED_UP_TO has it, and of each job its id, `finishedOn`, reason, attempts and options. When it only looked at
-- jobs that are redacted it returns none of them.
--
-- REST: of each queue its name, until when (epoch ms) those ended that go, since when (epoch ms) jobs may have come
--   after later ones, since the clocks of replicas differ, and the state and the mark of the step before, if any

-- Jobs that one run looks at.
local MOST_SEEN = 1000

-- How many jobs of the set are up to the one that a mark names.
local function countUpTo(set, mark)
  local score, id = string.match(mark or "", "^([^:]*):(.*)$")
  if not tonumber(score) then return 0 end
  if rcall("ZSCORE", set, id) == score then return rcall("ZRANK", set, id) + 1 end
  return rcall("ZCOUNT", set, "-inf", "(" .. score)
end

local function firstRank(prefix, state, since, seen)
  local set = prefix .. state
  if seen then return countUpTo(set, seen) end
  local marked = countUpTo(set, rcall("HGET", prefix .. REDACTED_UP_TO, state))
  return math.min(marked, rcall("ZCOUNT", set, "-inf", "(" .. since))
end

local function sizeOf(job)
  local size = 0
  for _, field in ipairs({"data", "returnvalue", "failedReason", RECORDED, "opts", "stacktrace"}) do
    size = size + rcall("HSTRLEN", job, field)
  end
  return size
end

-- Nothing at the end of those that are to go.
local function find(prefix, state, endedBy, first)
  local set = prefix .. state
  local last = math.min(rcall("ZCOUNT", set, "-inf", endedBy), first + MOST_SEEN) - 1
  if first > last then return nil end
  local entries = rcall("ZRANGE", set, first, last, "WITHSCORES")
  local found, bytes, mark = {}, 0, nil
  for index = 1, #entries, 2 do
    local job = prefix .. entries[index]
    local known = redis.pcall("HMGET", job, "timestamp", "finishedOn", REDACTED)
    if not known.err and known[1] and known[2] and not known[3] then
      local size = sizeOf(job)
      if #found > 0 and (#found >= most or bytes + size > MOST_FREED) then break end
      bytes = bytes + size
      local rest = rcall("HMGET", job, "failedReason", RECORDED, "opts")
      found[#found + 1] = {entries[index], known[2], rest[1], rest[2], rest[3]}
    end
    mark = entries[index + 1] .. ":" .. entries[index]
  end
  return found, mark
end

local number = 0
for index = REST, #ARGV, 5 do
  number = number + 1
  local prefix, seenIn = start .. ARGV[index] .. ":", ARGV[index + 3]
  for _, state in ipairs(seenIn == "failed" and {"failed"} or {"completed", "failed"}) do
    local first = firstRank(prefix, state, ARGV[index + 2], seenIn == state and ARGV[index + 4])
    local found, mark = find(prefix, state, ARGV[index + 1], first)
    if found then return {number, state, mark, found} end
  end
end
return false
