import type { Script } from '../connection/scripts.ts';
import { EXPIRES, EXPIRING, EXPIRING_QUEUES } from '../layout/expiry-keys.ts';
import { PLACE_OF } from '../jobs/job-place.ts';
import { OWN_KEY } from '../layout/own-keys.ts';
import { CREATE_QUEUE, LISTED } from '../registry/create-queue.ts';

/** How many arguments each queue and each job of a flow has. */
export const [QUEUE_ARGUMENTS, JOB_ARGUMENTS] = [2, 8];

/** Entries of a set or a list that one command writes. */
const ENTRIES_AT_ONCE = 1000;

/**
 * Adds the jobs of a flow as one step, whatever queues they are for: all keys of a prefix are in one slot. The
 * keys and events are those that BullMQ's own flow producers leave. All that could fail comes
 * before the first write, or is the first write, so the flow is stored whole or not at all.
 *
 * KEYS: registry of queues. ARGV: prefix, timestamp, deadline, how many queues there are; of each its name and the
 * most jobs that may wait there, or nothing; of each job the position of its queue, its place, name, data and
 * options, the position of its parent or nothing, what BullMQ keeps of that as JSON, and `p` for one that waits for
 * children and `g` for one with an id that was given, or both.
 *
 * Answers "late", "full" with the bound, "exists" with the position of a job, or "added".
 */
export const addFlowScript: Script = {
  name: 'addFlow',
  numberOfKeys: 1,
  lua: `
local registry, prefix, timestamp, deadline = KEYS[1], ARGV[1], ARGV[2], tonumber(ARGV[3])
local call = redis.call
local time = call("TIME")
if tonumber(time[1]) * 1000 + tonumber(time[2]) / 1000 > deadline then return {"late"} end
${PLACE_OF}
${CREATE_QUEUE}
local queues = {}
local first = 5
for index = 1, tonumber(ARGV[4]) do
  local name, base = ARGV[first], prefix .. ":" .. ARGV[first] .. ":"
  local meta = call("HMGET", base .. "meta", "opts.maxLenEvents", "paused", "concurrency", "${LISTED}")
  local running = meta[3] and call("LLEN", base .. "active") or 0
  queues[index] = {name = name, base = base, maxWaiting = tonumber(ARGV[first + 1]), maxEvents = meta[1],
    startable = not meta[2] and not (meta[3] and running >= tonumber(meta[3])), listed = meta[4],
    toWait = 0, jobs = 0}
  call("LLEN", base .. "wait")
  call("XLEN", base .. "events")
  for _, set in ipairs({"marker", "delayed", "prioritized", "waiting-children", "${EXPIRING}"}) do
    call("ZCARD", base .. set)
  end
  for _, counter in ipairs({"pc", "id"}) do
    if not tonumber(call("GET", base .. counter) or 0) then
      return redis.error_reply("WRONGTYPE " .. base .. counter .. " is not a number")
    end
  end
  first = first + ${QUEUE_ARGUMENTS}
end
local expiringQueues = prefix .. "${OWN_KEY}${EXPIRING_QUEUES}"
call("ZCARD", expiringQueues)
call("ZCARD", registry)

local jobs = {}
for at = first, #ARGV, ${JOB_ARGUMENTS} do
  local queue = queues[tonumber(ARGV[at])]
  local delay, priority, lifo, id, ttl = placeOf(ARGV[at + 1])
  local isParent = string.find(ARGV[at + 7], "p", 1, true)
  if string.find(ARGV[at + 7], "g", 1, true) and call("EXISTS", queue.base .. id) == 1 then
    return {"exists", #jobs}
  end
  queue.jobs = queue.jobs + 1
  if delay == "0" and not isParent then queue.toWait = queue.toWait + 1 end
  jobs[#jobs + 1] = {queue = queue, id = id, delay = tonumber(delay), priority = tonumber(priority), lifo = lifo,
    ttl = tonumber(ttl), isParent = isParent}
end
for _, queue in ipairs(queues) do
  if queue.maxWaiting and queue.toWait > 0 and
      call("LLEN", queue.base .. "wait") + call("ZCARD", queue.base .. "prioritized") + queue.toWait > queue.maxWaiting then
    return {"full", queue.maxWaiting}
  end
end

for _, queue in ipairs(queues) do
  call("INCRBY", queue.base .. "id", queue.jobs)
  if not (queue.maxEvents and queue.listed) then queue.maxEvents = createQueue(registry, queue.base .. "meta") end
end

local function tell(queue, event, id, field, value)
  if field then
    call("XADD", queue.base .. "events", "MAXLEN", "~", queue.maxEvents, "*", "event", event, "jobId", id, field, value)
  else
    call("XADD", queue.base .. "events", "MAXLEN", "~", queue.maxEvents, "*", "event", event, "jobId", id)
  end
end

local function delayedScore(delayed, dueAt)
  local first, last = dueAt * 0x1000, (dueAt + 1) * 0x1000 - 1
  local newest = call("ZREVRANGEBYSCORE", delayed, last, first, "WITHSCORES", "LIMIT", 0, 1)[2]
  return newest and math.min(tonumber(newest) + 1, last) or first
end

local function priorityScore(counter, priority)
  local position = call("INCR", counter) % 0x100000000
  if priority >= 0x200000 then position = position * 2 end
  return priority * 0x100000000 + position
end

-- Entries of sets and lists, by their keys, that are written together.
local dependencies, waiting = {}, {}
local function gather(entries, key, entry)
  local some = entries[key] or {}
  entries[key] = some
  some[#some + 1] = entry
end
local function write(command, entries)
  for key, some in pairs(entries) do
    for from = 1, #some, ${ENTRIES_AT_ONCE} do
      call(command, key, unpack(some, from, math.min(from + ${ENTRIES_AT_ONCE} - 1, #some)))
    end
  end
end

for index, job in ipairs(jobs) do
  local at, queue, id = first + (index - 1) * ${JOB_ARGUMENTS}, job.queue, job.id
  local key = queue.base .. id
  local parent = jobs[tonumber(ARGV[at + 5])]
  if parent then
    local parentKey = parent.queue.base .. parent.id
    call("HSET", key, "name", ARGV[at + 2], "data", ARGV[at + 3], "opts", ARGV[at + 4], "timestamp", timestamp,
      "delay", job.delay, "priority", job.priority, "parentKey", parentKey, "parent", ARGV[at + 6])
    gather(dependencies, parentKey .. ":dependencies", key)
  else
    call("HSET", key, "name", ARGV[at + 2], "data", ARGV[at + 3], "opts", ARGV[at + 4], "timestamp", timestamp,
      "delay", job.delay, "priority", job.priority)
  end
  tell(queue, "added", id, "name", ARGV[at + 2])
  if job.ttl > 0 then
    local expires = math.min(timestamp + job.ttl, ${Number.MAX_SAFE_INTEGER})
    queue.expires = math.min(expires, queue.expires or expires)
    expires = string.format("%.0f", expires)
    call("HSET", key, "${EXPIRES}", expires)
    call("ZADD", queue.base .. "${EXPIRING}", expires, id)
  end
  if job.isParent then
    call("ZADD", queue.base .. "waiting-children", timestamp, id)
    tell(queue, "waiting-children", id)
  elseif job.delay > 0 then
    local dueAt = timestamp + job.delay
    call("ZADD", queue.base .. "delayed", delayedScore(queue.base .. "delayed", dueAt), id)
    tell(queue, "delayed", id, "delay", string.format("%.0f", dueAt))
    queue.anyDelayed = true
  else
    if job.priority > 0 then
      call("ZADD", queue.base .. "prioritized", priorityScore(queue.base .. "pc", job.priority), id)
    elseif job.lifo == "1" then
      call("RPUSH", queue.base .. "wait", id)
    else
      gather(waiting, queue.base .. "wait", id)
    end
    tell(queue, "waiting", id)
    queue.anyWaiting = true
  end
end

write("SADD", dependencies)
write("LPUSH", waiting)
for _, queue in ipairs(queues) do
  if queue.expires then
    local known = call("ZSCORE", expiringQueues, queue.name)
    if not known or tonumber(known) > queue.expires then
      call("ZADD", expiringQueues, string.format("%.0f", queue.expires), queue.name)
    end
  end
  if queue.anyWaiting and queue.startable then call("ZADD", queue.base .. "marker", 0, "0") end
  if queue.anyDelayed then
    local earliest = call("ZRANGE", queue.base .. "delayed", 0, 0, "WITHSCORES")[2]
    call("ZADD", queue.base .. "marker", tonumber(earliest) / 0x1000, "1")
  end
end
return {"added"}
`,
};
