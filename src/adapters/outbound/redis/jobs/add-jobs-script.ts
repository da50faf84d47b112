import type { Script } from '../connection/scripts.ts';
import { CREATE_QUEUE, LISTED } from '../registry/create-queue.ts';
import { EXPIRES, EXPIRING, EXPIRING_QUEUES } from '../layout/expiry-keys.ts';
import { OWN_KEY } from '../layout/own-keys.ts';
import { deduplicating, notDeduplicating, type Deduplicating } from './deduplicating.ts';
import { PLACE_OF } from './job-place.ts';
import { BYTES_OF, notRemembering, remembering, type Remembering } from './remembered-adds.ts';

/** The script's answer when it stored nothing because its caller has given up. */
export const TOO_LATE = 0;

/** The script's answer when it stored nothing because too many jobs would wait. */
export const FULL = 1;

/** How the script reads a job from its arguments and stores it under its key. */
interface Source {
  readonly name: string;
  /** How many arguments there are of each job. */
  readonly fields: 4 | 2;
  /** Lua: returns TOO_LATE when some of the jobs are missing. */
  readonly check: string;
  /** Lua: the data and options of the job at `index`. */
  readonly content: string;
  /** Lua: writes the job at `index` to the key `job`. */
  readonly store: string;
  /** Lua: handles a job at `index` with an existing id. */
  readonly drop: string;
  /** Lua: the bytes that the job at the key `job` takes in an answer. */
  readonly bytes: string;
}

/**
 * Adds a batch of jobs as one step. The keys and events it writes are those of BullMQ's own
 * `addStandardJob`, `addDelayedJob` and `addPrioritizedJob`, which a test compares; what those do
 * for each job and is the same for all of them is done once here.
 *
 * Everything that could fail comes before the first write, or is the first write: the script checks the type of every
 * key, and a store without free memory refuses to count the ids. So the batch is stored whole or not at all.
 *
 * A store that hung may start the script long after the add was reported as failed. The script then stores nothing,
 * since a failed call must not have added jobs (endpoint rule 1).
 *
 * ARGV: job key prefix, timestamp, deadline, what stands before the numbers of staged jobs, most jobs that may wait,
 * or nothing; what remembering takes; then of each job its place, its name and, unless it is staged, its data and
 * options, and what deduplicating takes.
 *
 * A job that must start within a time is noted in the queue's own set of those, and the queue in the register of
 * queues that have some. Both are written with the job, so that none is ever missing there.
 *
 * Answers one element for each job: its id, or for an id that exists the id and the bytes that its job
 * takes in an answer; and 1 when that stands for its deduplication id. Such jobs are read apart: a short batch
 * may name large ones.
 */
function addingScript(
  { name, fields, check, store, drop, bytes }: Source,
  once: Remembering,
  special: Deduplicating,
): Script {
  return {
    name: name + special.name + once.name,
    numberOfKeys: 10 + once.keys,
    lua: `
local wait, active, prioritized, delayed, events, meta, counter, marker, priorityCounter, registry =
  KEYS[1], KEYS[2], KEYS[3], KEYS[4], KEYS[5], KEYS[6], KEYS[7], KEYS[8], KEYS[9], KEYS[10]
local jobPrefix, timestamp, deadline, staged, maxWaiting =
  ARGV[1], ARGV[2], tonumber(ARGV[3]), ARGV[4], tonumber(ARGV[5])
local FIRST, FIELDS = ${6 + once.args}, ${fields + special.fields}
local call = redis.call

local time = call("TIME")
if tonumber(time[1]) * 1000 + tonumber(time[2]) / 1000 > deadline then return ${TOO_LATE} end

${BYTES_OF}
${once.recall}
local queue = call("HMGET", meta, "opts.maxLenEvents", "paused", "concurrency", "${LISTED}")
local startable = not queue[2]
if queue[3] and call("LLEN", active) >= tonumber(queue[3]) then startable = false end
call("LLEN", wait)
call("XLEN", events)
call("ZCARD", marker)
if not queue[4] then call("ZCARD", registry) end

${PLACE_OF}
${CREATE_QUEUE}
${check}
${special.check}
local bytes, anyDelayed, anyPriority, anyExpiring = {}, false, false, false
local eventsToCome = 0
for index = FIRST, #ARGV, FIELDS do
  local delay, priority, _, id, ttl = placeOf(ARGV[index])
  eventsToCome = eventsToCome + (id == "" and not ${special.isAsked} and 2 or 1)
  if id ~= "" and not bytes[id] and call("EXISTS", jobPrefix .. id) == 1 then
    bytes[id] = bytesOf(jobPrefix .. id)
  end
  anyDelayed = anyDelayed or delay ~= "0"
  anyPriority = anyPriority or priority ~= "0"
  anyExpiring = anyExpiring or ttl ~= "0"
end
if anyDelayed then call("ZCARD", delayed) end
if anyPriority then
  call("ZCARD", prioritized)
  if not tonumber(call("GET", priorityCounter) or 0) then
    return redis.error_reply("WRONGTYPE " .. priorityCounter .. " is not a number")
  end
end

local expiring, expiringQueues, queueName
if anyExpiring then
  -- A prefix has no colon, nor has the name of a queue.
  local prefix, name = string.match(jobPrefix, "^([^:]*):([^:]*):$")
  expiring, expiringQueues, queueName = jobPrefix .. "${EXPIRING}", prefix .. "${OWN_KEY}${EXPIRING_QUEUES}", name
  call("ZCARD", expiring)
  call("ZCARD", expiringQueues)
end

if maxWaiting then
${toWait(special)}
  if toWait > 0 and call("LLEN", wait) + call("ZCARD", prioritized) + toWait > maxWaiting then
    ${once.refuse}
    return ${FULL}
  end
end

local number = call("INCRBY", counter, (#ARGV - FIRST + 1) / FIELDS) - (#ARGV - FIRST + 1) / FIELDS
local first = number + 1
local maxEvents = queue[1]
if not (maxEvents and queue[4]) then maxEvents = createQueue(registry, meta) end

-- Events that later ones of this batch would push out are never seen, so they are not written. All before them are
-- pushed out, too, and go at once: nobody may take what is left of them for the ones right before.
local unseen = eventsToCome - tonumber(maxEvents)
if unseen > 0 then call("XTRIM", events, "MAXLEN", 0) end
local function tell(event, id, field, value)
  if unseen > 0 then
    unseen = unseen - 1
  elseif field then
    call("XADD", events, "MAXLEN", "~", maxEvents, "*", "event", event, "jobId", id, field, value)
  else
    call("XADD", events, "MAXLEN", "~", maxEvents, "*", "event", event, "jobId", id)
  end
end

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

-- Ids that go to the same end of the waiting list go together.
local pushed, pushedLifo = {}, "0"
local function pushAll()
  if #pushed == 0 then return end
  if pushedLifo == "1" then call("RPUSH", wait, unpack(pushed)) else call("LPUSH", wait, unpack(pushed)) end
  pushed = {}
end

local answers, waiting, anyAddedDelayed, firstExpiry = {}, false, false, nil
for index = FIRST, #ARGV, FIELDS do
  local delay, priority, lifo, id, ttl = placeOf(ARGV[index])
  local name = ARGV[index + 1]
  number = number + 1
  if bytes[id] then
    tell("duplicated", id)
    answers[#answers + 1] = {id, bytes[id]}
    ${drop}
  else
    local isNumbered = id == ""
    if isNumbered then id = number < 1e14 and tostring(number) or string.format("%.0f", number) end
    ${special.open}
    local job = jobPrefix .. id
    ${store}
    ${special.note}
    if ttl ~= "0" then
      local expires = math.min(timestamp + ttl, ${Number.MAX_SAFE_INTEGER})
      firstExpiry = math.min(expires, firstExpiry or expires)
      expires = string.format("%.0f", expires)
      call("HSET", job, "${EXPIRES}", expires)
      call("ZADD", expiring, expires, id)
    end
    if not isNumbered then bytes[id] = ${bytes} end
    tell("added", id, "name", name)
    if delay ~= "0" then
      local dueAt = tonumber(timestamp) + tonumber(delay)
      call("ZADD", delayed, delayedScore(dueAt), id)
      tell("delayed", id, "delay", dueAt)
      anyAddedDelayed = true
    else
      if priority ~= "0" then
        call("ZADD", prioritized, priorityScore(tonumber(priority)), id)
      else
        if lifo ~= pushedLifo or #pushed == 1000 then pushAll() end
        pushedLifo = lifo
        pushed[#pushed + 1] = id
      end
      tell("waiting", id)
      waiting = true
    end
    answers[#answers + 1] = id
    ${special.close}
  end
end
pushAll()

if firstExpiry then
  local known = call("ZSCORE", expiringQueues, queueName)
  if not known or tonumber(known) > firstExpiry then
    call("ZADD", expiringQueues, string.format("%.0f", firstExpiry), queueName)
  end
end
if waiting and startable then call("ZADD", marker, 0, "0") end
if anyAddedDelayed then
  local earliest = call("ZRANGE", delayed, 0, 0, "WITHSCORES")[2]
  -- One that was added may have been replaced by now.
  if earliest then call("ZADD", marker, tonumber(earliest) / 0x1000, "1") end
end
${once.remember}
`,
  };
}

/** Lua: how many jobs of the batch would wait at once, found before anything of it is written. */
function toWait({ wouldStore }: Deduplicating): string {
  return `  local toWait, taken, freed = 0, {}, {}
  for index = FIRST, #ARGV, FIELDS do
    local delay, _, _, id = placeOf(ARGV[index])
    if not taken[id] and (freed[id] or not bytes[id]) and ${wouldStore} then
      if id ~= "" then taken[id] = true end
      if delay == "0" then toWait = toWait + 1 end
    end
  end`;
}

/** With all that is stored of each job among its arguments. */
const given: Source = {
  name: 'addJobs',
  fields: 4,
  check: '',
  content: 'local data, opts = ARGV[index + 2], ARGV[index + 3]',
  store: `local data, opts = ARGV[index + 2], ARGV[index + 3]
    call("HSET", job, "name", name, "data", data, "opts", opts,
      "timestamp", timestamp, "delay", delay, "priority", priority)`,
  drop: '',
  bytes: '#name + #data + #opts',
};

/**
 * Jobs that were staged, by their numbers: of each there are two arguments, where it goes and its name. It is
 * too late when one of them is gone.
 */
const staged: Source = {
  name: 'addStagedJobs',
  fields: 2,
  check: `local last = (#ARGV - FIRST + 1) / FIELDS - 1
for first = 0, last, 1000 do
  local keys = {}
  for number = first, math.min(first + 999, last) do keys[#keys + 1] = staged .. number end
  if call("EXISTS", unpack(keys)) < #keys then return ${TOO_LATE} end
end`,
  content: `local record = call("HMGET", staged .. (index - FIRST) / FIELDS, "data", "opts")
  local data, opts = record[1], record[2]`,
  store: `call("RENAME", staged .. (index - FIRST) / FIELDS, job)
    call("PERSIST", job)`,
  drop: 'call("UNLINK", staged .. (index - FIRST) / FIELDS)',
  bytes: 'bytesOf(job)',
};

/** The scripts of one source, for adds that are remembered and others. */
export interface AddScripts {
  /** Whether the jobs have no deduplication argument. */
  readonly isPlain: boolean;
  readonly add: Script;
  readonly addOnce: Script;
}

/** The scripts for jobs of one kind, by where they are. */
interface AddScriptsOfKind {
  readonly given: AddScripts;
  readonly staged: AddScripts;
}

function addScripts(source: Source, isClaimed: boolean, isSpecial: boolean): AddScripts {
  const special = isSpecial ? deduplicating(source.content, source.drop) : notDeduplicating;
  return {
    isPlain: !isSpecial,
    add: addingScript(source, notRemembering, special),
    addOnce: addingScript(source, remembering(isClaimed), special),
  };
}

/** For plain jobs alone. */
export const plainScripts: AddScriptsOfKind = {
  given: addScripts(given, false, false),
  staged: addScripts(staged, true, false),
};

/** For batches in which jobs have deduplication ids. */
export const deduplicatingScripts: AddScriptsOfKind = {
  given: addScripts(given, false, true),
  staged: addScripts(staged, true, true),
};
