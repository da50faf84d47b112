import type { Script } from '../connection/scripts.ts';

/**
 * Adds a batch of plain jobs as one step. The keys and events it writes are those of BullMQ's own
 * `addStandardJob`, `addDelayedJob` and `addPrioritizedJob`, which a test compares; what those do
 * for each job and is the same for all of them is done once here.
 *
 * Every write that could fail comes after the first one that the store would refuse when it is out
 * of memory, and no key can have another type than expected, so the batch is stored whole or not at all.
 *
 * A store that hung may come to the script when its caller was told long ago that the add failed: it
 * then stores nothing, since a call that failed must not have added jobs (endpoint rule 1).
 *
 * Answers one element for each job: its id, or for an id that exists the id and the existing hash.
 */
export const addJobsScript: Script = {
  name: 'addJobs',
  numberOfKeys: 9,
  lua: `
local wait, active, prioritized, delayed, events, meta, counter, marker, priorityCounter =
  KEYS[1], KEYS[2], KEYS[3], KEYS[4], KEYS[5], KEYS[6], KEYS[7], KEYS[8], KEYS[9]
local jobPrefix, timestamp, deadline = ARGV[1], ARGV[2], tonumber(ARGV[3])
local FIRST, FIELDS = 4, 7
local call = redis.call

local time = call("TIME")
if tonumber(time[1]) * 1000 + tonumber(time[2]) / 1000 > deadline then
  return redis.error_reply("JOBGATE_LATE the caller has given up")
end

local queue = call("HMGET", meta, "opts.maxLenEvents", "paused", "concurrency")
local maxEvents = queue[1]
if not maxEvents then
  maxEvents = "10000"
  call("HSET", meta, "opts.maxLenEvents", maxEvents)
end
local startable = not queue[2] and not (queue[3] and call("LLEN", active) >= tonumber(queue[3]))

local function delayedScore(dueAt)
  local first, last = dueAt * 0x1000, (dueAt + 1) * 0x1000 - 1
  local newest = call("ZREVRANGEBYSCORE", delayed, last, first, "WITHSCORES", "LIMIT", 0, 1)[2]
  if not newest then return first end
  return math.min(tonumber(newest) + 1, last)
end

local function priorityScore(priority)
  local position = call("INCR", priorityCounter) % 0x100000000
  if priority >= 0x200000 then position = position * 2 end
  return priority * 0x100000000 + position
end

local answers, waiting, anyDelayed = {}, false, false
for index = FIRST, #ARGV, FIELDS do
  local id, name = ARGV[index], ARGV[index + 1]
  local delay, priority = ARGV[index + 4], ARGV[index + 5]
  local number = call("INCR", counter)
  local duplicate = false
  if id == "" then
    id = tostring(number)
    if number >= 1e14 then id = string.format("%.0f", number) end
  else
    duplicate = call("EXISTS", jobPrefix .. id) == 1
  end
  local job = jobPrefix .. id
  if duplicate then
    call("XADD", events, "MAXLEN", "~", maxEvents, "*", "event", "duplicated", "jobId", id)
    answers[#answers + 1] = {id, call("HGETALL", job)}
  else
    call("HSET", job, "name", name, "data", ARGV[index + 2], "opts", ARGV[index + 3],
      "timestamp", timestamp, "delay", delay, "priority", priority)
    call("XADD", events, "*", "event", "added", "jobId", id, "name", name)
    if delay ~= "0" then
      local dueAt = tonumber(timestamp) + tonumber(delay)
      call("ZADD", delayed, delayedScore(dueAt), id)
      call("XADD", events, "MAXLEN", "~", maxEvents, "*", "event", "delayed", "jobId", id, "delay", dueAt)
      anyDelayed = true
    else
      if priority ~= "0" then
        call("ZADD", prioritized, priorityScore(tonumber(priority)), id)
      elseif ARGV[index + 6] == "1" then
        call("RPUSH", wait, id)
      else
        call("LPUSH", wait, id)
      end
      call("XADD", events, "MAXLEN", "~", maxEvents, "*", "event", "waiting", "jobId", id)
      waiting = true
    end
    answers[#answers + 1] = id
  end
end

if waiting and startable then call("ZADD", marker, 0, "0") end
if anyDelayed then
  local earliest = call("ZRANGE", delayed, 0, 0, "WITHSCORES")[2]
  call("ZADD", marker, tonumber(earliest) / 0x1000, "1")
end
return answers
`,
};
