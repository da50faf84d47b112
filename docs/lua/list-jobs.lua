-- Reads one page of the jobs of some states. Returns, all of the same moment, the counts of all states, the ids of the
-- page, and the hashes of the first of its jobs, as many as one command may read.
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
-- The hash of a job that is read to be answered, without what is on record of its attempts: that may be long.
local function withoutRecord(hash)
  for index = #hash - 1, 1, -2 do
    if hash[index] == "jobgate:attempts" then
      hash[index + 1] = ""
      break
    end
  end
  return hash
end

-- From what size on a job is looked at for what is on record of its attempts, in bytes.
local LONG = 1024

-- The bytes that a job takes. A store or a user without MEMORY is asked for the fields that grow.
local function sizeOf(job)
  local size = redis.pcall("MEMORY", "USAGE", job, "SAMPLES", "100")
  if type(size) == "number" then return size end
  size = 0
  for _, field in ipairs({"name", "data", "opts", "progress", "returnvalue", "failedReason", "stacktrace"}) do
    local length = redis.pcall("HSTRLEN", job, field)
    if type(length) == "number" then size = size + length end
  end
  return size
end

-- The hashes of some jobs in order: from position `first` of the ids on, and as many as one command may read, none when
-- already the first is too large. What is no job is an empty hash. The size is asked for before the job is read,
-- because what a script reads is copied twice more; one question for all fields is quickest.
local function readJobs(jobPrefix, ids, first)
  local jobs, room = {}, 262144
  for index = first, math.min(#ids, first + 100 - 1) do
    local job = jobPrefix .. ids[index]
    local size = sizeOf(job)
    room = room - size
    if room < 0 and rcall("TYPE", job).ok == "hash" then break end
    local hash = redis.pcall("HGETALL", job)
    if hash.err then hash = rcall("TYPE", job).ok == "hash" and rcall("HGETALL", job) or {} end
    jobs[#jobs + 1] = size > LONG and withoutRecord(hash) or hash
  end
  return jobs
end

local counts, page = pageOfJobs(KEYS[1], KEYS[2], KEYS[3], KEYS[4], KEYS[5], KEYS[6], KEYS[7], KEYS[8],
  ARGV[2], ARGV[3], {unpack(ARGV, 4)})
return {counts, page, readJobs(ARGV[1], page, 1)}
