import { MAX_EVENT_VALUE } from '../../../../domain/events/queue-event.ts';
import { MOST_REMOVED_FOR_AGE } from '../../../../domain/attempts/retention.ts';
import type { Script } from '../connection/scripts.ts';
import { LEFT_OUT } from '../events/event-values.ts';
import { RECORDED } from '../layout/attempt-lines.ts';
import { EXPIRY_OF, FAIL_EXPIRED, STARTED_IN_TIME } from '../expiry/expired-jobs.ts';
import { ACCEPTANCES, ACCEPTED } from '../layout/acceptance-keys.ts';
import { PROCESSED_BY, WITH_ATTEMPT } from './attempt-record-lua.ts';
import { ATTEMPT_FIELDS } from './attempt-fields.ts';
import { ATTEMPT, PULLED_BY } from './attempt-token.ts';
import { MARKED_PARENT } from '../flows/parent-mark.ts';
import { GATED } from '../gate/gate-lua.ts';
import { libraryFunctions, REMOVING_A_JOB } from './library-functions.ts';
import { OWN_RETENTION } from './own-retention.ts';
import { MAY_START } from '../schedulers/schedule-lua.ts';
import { KEEP_EVENTS } from '../registry/create-queue.ts';
import { REMEMBER_REPORT, REPORTS } from './report-lua.ts';

/** The answer for a step that the script left to the library's scripts. */
export const LEFT_ALONE = 0;

/** Most jobs that a run fails because their time to start is over. Beyond it, the claimant is woken to ask again. */
const MOST_EXPIRED = 100;

/** The functions with which the library takes a job that is due or has a priority. */
const TAKING = [
  'storeTime',
  'getPriorityScore',
  'moveDueJobToHead',
  'moveJobFromPrioritizedToActive',
  'getNextDelayedTimestamp',
];

/** The functions with which the library removes ended jobs that are not kept. */
const REMOVING = ['batches', ...REMOVING_A_JOB, 'removeJobsByMaxAge', 'removeJobsByMaxCount'];

/**
 * Completes several attempts of a queue and takes jobs in their place, in one run. Steps of the library's
 * `moveToFinished` that are the same for all of them are done once; a test compares the resulting keys and events. It
 * is for plain jobs: it leaves alone a job with a parent, children or a deduplication id, a job whose attempt may not
 * be the running one, and a queue with a gate or with a rate limit for all its workers.
 *
 * ARGV: job key prefix, timestamp, deadline for claims, concurrency or nothing, lock duration, how many completed jobs
 * are kept and for how many seconds unless they say so themselves, each empty for all, the name of the replica, the
 * register of queues with pulled jobs, empty unless clients pull the jobs, and whether the holders of the tokens report
 * the completions;
 * then for each step the id and token of the attempt that completed, its return value, the token to claim with, and
 * the record of the attempt or nothing. The id is empty when there is only a claim, the second token when there is no
 * claim.
 *
 * Returns when the next delayed job falls due or 0, and for each step LEFT_ALONE, 1 when it is done and there was
 * no job, the hash and id of the claimed job, or 0 and the id of a job whose slot is to be skipped.
 *
 * The first write takes no memory: a store without free memory refuses a script that begins with any other.
 *
 * @param library the patched script of the library that ends attempts.
 */
export function completeAndClaimScript(library: Script): Script {
  const { lua } = library;
  return {
    name: 'completeAndClaim',
    numberOfKeys: 10,
    lua: `
local wait, active, prioritized, events, stalled, delayed, meta, priorityCounter, marker, completed =
  KEYS[1], KEYS[2], KEYS[3], KEYS[4], KEYS[5], KEYS[6], KEYS[7], KEYS[8], KEYS[9], KEYS[10]
local prefix, timestamp, deadline = ARGV[1], ARGV[2], tonumber(ARGV[3])
local concurrency, lockDuration = tonumber(ARGV[4]) or math.huge, ARGV[5]
local ofWorker = {count = tonumber(ARGV[6]), age = tonumber(ARGV[7])}
local replica, pulled, isReported = ARGV[8], ARGV[9], ARGV[10] == "1"
local FIRST, FIELDS = 11, 5
local rcall = redis.call
${libraryFunctions(lua, TAKING)}${OWN_RETENTION}${WITH_ATTEMPT}${FAIL_EXPIRED}${EXPIRY_OF}${STARTED_IN_TIME}${REMEMBER_REPORT}${MARKED_PARENT}${MAY_START}${KEEP_EVENTS}

local queue = rcall("HMGET", meta, "paused", "concurrency", "max", "opts.maxLenEvents", "${GATED}")
-- Where the arguments of a step begin.
local function start(step) return FIRST + (step - 1) * FIELDS end

local answers, ended, ids, locks = {}, {}, {}, {}
local count = (#ARGV - FIRST + 1) / FIELDS
for step = 1, count do answers[step] = ${LEFT_ALONE} end
if queue[3] or queue[5] then return {0, answers} end

-- The running attempt of a job that has nothing special about it, or nothing.
local function plainRecord(job, token)
  local record = redis.pcall("HMGET", job, "processedOn", "${ATTEMPT}", "parentKey", "parent", "deid", "opts", "atm",
    "${RECORDED}")
  if record["err"] or not record[1] or record[2] ~= record[1] .. ":" .. token then return nil end
  if (record[3] and record[3] ~= "") or record[4] or record[5] then return nil end
  if not record[6] then return nil end
  if record[7] and not string.find(record[7], "^%d+$") then return nil end
  return record
end

local children = {}
for step = 1, count do
  local at = start(step)
  if ARGV[at] ~= "" then
    local job = prefix .. ARGV[at]
    ended[step] = plainRecord(job, ARGV[at + 1])
    if ended[step] then
      children[#children + 1] = job .. ":dependencies"
      children[#children + 1] = job .. ":unsuccessful"
    end
  end
end
if #children > 0 and rcall("EXISTS", unpack(children)) > 0 then
  for step in pairs(ended) do
    local job = prefix .. ARGV[start(step)]
    if rcall("EXISTS", job .. ":dependencies", job .. ":unsuccessful") > 0 then ended[step] = nil end
  end
end

for step = 1, count do
  if ended[step] then
    local id = ARGV[start(step)]
    if rcall("LREM", active, -1, id) == 0 then
      ended[step] = nil
    else
      ids[#ids + 1] = id
      locks[#locks + 1] = prefix .. id .. ":lock"
    end
  end
end

local leavesSlot = false
if #ids > 0 then
  rcall("SREM", stalled, unpack(ids))
  rcall("DEL", unpack(locks))
  local maxEvents = queue[4] or keepEvents(meta)
  -- Before the events of this run, so that it trims none of its own.
  rcall("XTRIM", events, "MAXLEN", "~", maxEvents)
  -- Jobs that end one after the other under the same rule are kept together, unless it bounds what each of them removes.
  local rule, scores = ofWorker, {}
  local function keepScored()
    if #scores == 0 then return end
    rcall("ZADD", completed, unpack(scores))
    scores = {}
    local hasCount = rule.count and rule.count > 0
    if not rule.age and not hasCount then return end
    ${libraryFunctions(lua, REMOVING)}
    if rule.age then removeJobsByMaxAge(timestamp, rule.age, completed, prefix, rule.limit or ${MOST_REMOVED_FOR_AGE}) end
    if hasCount then removeJobsByMaxCount(rule.count, completed, prefix) end
  end
  for step = 1, count do
    if ended[step] then
      local at = start(step)
      local id, value = ARGV[at], ARGV[at + 2]
      local job = prefix .. id
      local own = retention(ended[step][6], "completed", ofWorker)
      if own.count ~= rule.count or own.age ~= rule.age or own.limit ~= rule.limit then
        keepScored()
        rule = own
      end
      if rule.count == 0 then
        rcall("DEL", job, job .. ":logs", job .. ":dependencies", job .. ":processed", job .. ":failed",
          job .. ":unsuccessful")
      else
        rcall("HDEL", job, ${ATTEMPT_FIELDS})
        local made, call = string.format("%.0f", (ended[step][7] or 0) + 1), ARGV[at + 4]
        if call == "" then
          rcall("HSET", job, "atm", made, "returnvalue", value, "finishedOn", timestamp)
        else
          rcall("HSET", job, "atm", made, "returnvalue", value, "finishedOn", timestamp,
            "${RECORDED}", withAttempt(ended[step][8], ended[step][1], timestamp, call))
        end
        scores[#scores + 1] = timestamp
        scores[#scores + 1] = id
        if rule.limit then keepScored() end
      end
      local told = #value > ${MAX_EVENT_VALUE} and "${LEFT_OUT}" or value
      rcall("XADD", events, "*", "event", "completed", "jobId", id, "returnvalue", told, "prev", "active")
      if isReported then
        rememberReport(prefix .. "${REPORTS}" .. ARGV[at + 1], prefix .. "${ACCEPTED}", prefix .. "${ACCEPTANCES}",
          "completed:" .. id, id)
      end
      answers[step] = 1
      leavesSlot = leavesSlot or ARGV[at + 3] == ""
    end
  end
  keepScored()
end

local room, isEmpty, hasDue = 0, false, false
local function prepareToTake()
  if queue[1] then return end
  if #ids == 0 then rcall("SREM", stalled, "") end
  if deadline and storeTime() > deadline then
    rcall("ZADD", marker, 0, "0")
    return
  end
  room = math.min(concurrency, tonumber(queue[2]) or math.huge) - rcall("LLEN", active)
  local earliest = tonumber(rcall("ZRANGE", delayed, 0, 0, "WITHSCORES")[2])
  hasDue = earliest and earliest < (timestamp + 1) * 0x1000
end

local function nextId()
  local id = rcall("RPOPLPUSH", wait, active)
  -- Markers of older versions of the library.
  while id and string.sub(id, 1, 2) == "0:" do
    rcall("LREM", active, 1, id)
    id = rcall("RPOPLPUSH", wait, active)
  end
  return id or moveJobFromPrioritizedToActive(prioritized, active, priorityCounter)
end

-- Takes the next job, or fails it when its time to start is over, and tells so.
local anyTaken, nextAt = false, 0
local function takeNext(token)
  if hasDue then moveDueJobToHead(delayed, wait, prioritized, events, prefix, timestamp, priorityCounter) end
  local id = nextId()
  if not id then
    isEmpty = true
    nextAt = getNextDelayedTimestamp(delayed) or 0
    return 1
  end
  if not mayStart(prefix, id, timestamp) then
    anyTaken = true
    return {0, id}
  end
  local job = prefix .. id
  local record = redis.pcall("HGETALL", job)
  if record["err"] then
    rcall("LREM", active, 1, id)
    anyTaken = true
    return 1
  end
  local expires = expiryOf(record)
  if expires and expires <= tonumber(timestamp) then
    rcall("LREM", active, 1, id)
    failExpired(prefix, id, expires, timestamp, "waiting")
    return nil, true
  end
  if expires then startedInTime(prefix, id) end
  anyTaken = true
  room = room - 1
  local starts = 0
  for field = 1, #record, 2 do
    local name = record[field]
    if name == "ats" then starts = string.find(record[field + 1], "^%d+$") and record[field + 1] or 0
    elseif name == "${RECORDED}" then record[field + 1] = "" end
  end
  starts = string.format("%.0f", starts + 1)
  rcall("SET", job .. ":lock", token, "PX", lockDuration)
  rcall("XADD", events, "*", "event", "active", "jobId", id, "prev", "waiting")
  local attempt = timestamp .. ":" .. token
  if pulled == "" then
    rcall("HSET", job, "processedOn", timestamp, "${ATTEMPT}", attempt, "ats", starts, "${PROCESSED_BY}", replica)
  else
    rcall("HSET", job, "processedOn", timestamp, "${ATTEMPT}", attempt, "ats", starts, "${PROCESSED_BY}", replica,
      "${PULLED_BY}", token)
  end
  local size = #record
  record[size + 1], record[size + 2], record[size + 3], record[size + 4] = "processedOn", timestamp, "ats", starts
  return {markedParent(job, id, record), id}
end

local expirable = ${MOST_EXPIRED}
local function take(token)
  while expirable > 0 do
    local answer, hasExpired = takeNext(token)
    if not hasExpired then return answer end
    expirable = expirable - 1
  end
  anyTaken = true
  return 1
end

local hasClaims = false
for step = 1, count do
  local at = start(step)
  if ARGV[at + 3] ~= "" and (ended[step] or ARGV[at] == "") then
    if not hasClaims then prepareToTake() end
    hasClaims = true
    answers[step] = room > 0 and not isEmpty and take(ARGV[at + 3]) or 1
  end
end

if anyTaken and pulled ~= "" then rcall("SADD", pulled, string.match(meta, "([^:]+):meta$")) end
if anyTaken or leavesSlot then rcall("ZADD", marker, 0, "0") end
local mayBeDrained = #ids > 0 and not anyTaken and (leavesSlot or isEmpty and nextAt == 0)
if mayBeDrained and rcall("LLEN", wait) == 0 and rcall("LLEN", active) == 0 and rcall("ZCARD", prioritized) == 0 then
  rcall("XADD", events, "*", "event", "drained")
end
return {nextAt, answers}
`,
  };
}
