-- Adds a batch of jobs as one step. The keys and events that it writes are those of BullMQ's own `addStandardJob`,
-- `addDelayedJob` and `addPrioritizedJob`; what those do for each job and is the same for all of them is done once here.
--
-- Everything that could fail comes before the first write, or is the first write: the script checks the type of every
-- key, and a store without free memory refuses to count the ids. So the batch is stored whole or not at all. A store
-- that hung may start the script long after the add was reported as failed, and then it stores nothing.
--
-- Returns one element for each job: its id, or for an id that exists the id and the bytes that its job takes in an
-- answer, and 1 when that stands for its deduplication id. (Such jobs are read apart: a short batch may name large
-- ones.) An add that is remembered returns these behind "added", or what is known of its key. Returns TOO_LATE after the
-- deadline, or when staged jobs are gone, FULL when too many jobs would wait, and where a group has no room a list of
-- GROUP_FULL, the number of the first job that is too many, and how many jobs of its group wait.
--
-- KEYS[1] wait
-- KEYS[2] active
-- KEYS[3] prioritized
-- KEYS[4] delayed
-- KEYS[5] events
-- KEYS[6] meta
-- KEYS[7] counter of ids
-- KEYS[8] marker
-- KEYS[9] counter of priorities
-- KEYS[10] registry of queues
--
-- ARGV[1] job key prefix
-- ARGV[2] timestamp
-- ARGV[3] deadline, in epoch ms of the store
-- ARGV[4] what stands before the numbers of staged jobs; empty when the jobs are given
-- ARGV[5] most jobs that may wait; empty for any number
-- ARGV[6] by what the add is remembered, as JSON: key, body (both digests), defaults; empty when it is not
-- ARGV[7] "1" when jobs of the batch have deduplication ids
-- ARGV[8] most jobs of a group that may wait unless its settings say otherwise; empty for any number
-- ARGV[9…] of each job its place and name; unless it is staged its data and options; and where jobs of the batch have
-- deduplication ids its deduplication as JSON, or nothing

local rcall = redis.call
local function getDelayedScore(delayedKey, timestamp, delay)
  local delayedTimestamp = (delay > 0 and (tonumber(timestamp) + delay)) or tonumber(timestamp)
  local minScore = delayedTimestamp * 0x1000
  local maxScore = (delayedTimestamp + 1 ) * 0x1000 - 1

  local result = rcall("ZREVRANGEBYSCORE", delayedKey, maxScore,
    minScore, "WITHSCORES","LIMIT", 0, 1)
  if #result then
    local currentMaxScore = tonumber(result[2])
    if currentMaxScore ~= nil then
      if currentMaxScore >= maxScore then
        return maxScore, delayedTimestamp
      else
        return currentMaxScore + 1, delayedTimestamp
      end
    end
  end
  return minScore, delayedTimestamp
end
-- The bytes that a job takes in an answer.
local function bytesOf(job)
  return rcall("HSTRLEN", job, "name") + rcall("HSTRLEN", job, "data") + rcall("HSTRLEN", job, "opts")
    + rcall("HSTRLEN", job, "progress") + rcall("HSTRLEN", job, "returnvalue")
    + rcall("HSTRLEN", job, "failedReason") + rcall("HSTRLEN", job, "stacktrace")
end
-- Takes apart where a job goes, as TypeScript's `placeOf` puts it together; behind the others its cost and group, if it
-- has one.
local function placeOf(place)
  if place == "" then return "0", "0", "0", "", "0" end
  local cost, group
  if string.find(place, "\0", 1, true) then place, cost, group = string.match(place, "^(.-)%z(%d+):(.*)$") end
  local delay, priority, lifo, ttl, id = string.match(place, "^(%d+):(%d+):(%d):(%d+):(.*)$")
  return delay, priority, lifo, id, ttl, cost, group
end

-- Returns the contents of a batch, found before anything is written: bytes (of those that exist, by their id), isDelayed,
-- isPrioritized, isExpiring and hasGroups (whether any of them is or has one), events (how many are to come at the most).
local function contentsOf(first, fields, prefix, deduplications)
  local bytes, events, hasGroups, isDelayed, isPrioritized, isExpiring = {}, 0, nil, false, false, false
  for index = first, #ARGV, fields do
    local place = ARGV[index]
    -- Most jobs of a large batch have no options that matter to where they go.
    if place == "" then
      events = events + (deduplications[index] and 1 or 2)
    else
      local delay, priority, _, id, ttl, _, group = placeOf(place)
      hasGroups = hasGroups or group
      events = events + (id == "" and not deduplications[index] and 2 or 1)
      if id ~= "" and not bytes[id] and rcall("EXISTS", prefix .. id) == 1 then bytes[id] = bytesOf(prefix .. id) end
      isDelayed = isDelayed or delay ~= "0"
      isPrioritized = isPrioritized or priority ~= "0"
      isExpiring = isExpiring or ttl ~= "0"
    end
  end
  return {
    bytes = bytes, events = events, hasGroups = hasGroups, isDelayed = isDelayed, isPrioritized = isPrioritized,
    isExpiring = isExpiring,
  }
end
-- Returns a function that writes an event, for a run that is to write `toCome` of them. Events that later ones of the
-- run would push out are never seen, so they are not written. All before them are pushed out, too, and go at once, so
-- that nobody takes what is left of them for the ones right before.
local function batchEvents(events, maxEvents, toCome)
  local unseen = toCome - tonumber(maxEvents)
  if unseen > 0 then rcall("XTRIM", events, "MAXLEN", 0) end
  return function(event, id, field, value, group)
    if unseen > 0 then
      unseen = unseen - 1
    elseif group and field then
      rcall("XADD", events, "MAXLEN", "~", maxEvents, "*", "event", event, "jobId", id, field, value, "group", group)
    elseif group then
      rcall("XADD", events, "MAXLEN", "~", maxEvents, "*", "event", event, "jobId", id, "group", group)
    elseif field then
      rcall("XADD", events, "MAXLEN", "~", maxEvents, "*", "event", event, "jobId", id, field, value)
    else
      rcall("XADD", events, "MAXLEN", "~", maxEvents, "*", "event", event, "jobId", id)
    end
  end
end
-- Returns a function that pushes an id to the tail of the waiting list or, for `lifo` "1", to its head, and one that
-- pushes those that are left: ids that go to the same end go together.
local function batchPushes(wait)
  local pushed, pushedLifo = {}, "0"
  local function pushRest()
    if #pushed == 0 then return end
    if pushedLifo == "1" then rcall("RPUSH", wait, unpack(pushed)) else rcall("LPUSH", wait, unpack(pushed)) end
    pushed = {}
  end
  return function(id, lifo)
    if lifo ~= pushedLifo or #pushed == 1000 then pushRest() end
    pushedLifo = lifo
    pushed[#pushed + 1] = id
  end, pushRest
end
-- How many events a queue keeps, which is the default from then on unless its metadata says otherwise.
local function keepEvents(meta)
  if rcall("HSETNX", meta, "opts.maxLenEvents", "<events kept>") == 1 then return "<events kept>" end
  return rcall("HGET", meta, "opts.maxLenEvents")
end

-- Lists a queue in the registry. The field goes with the queue, and a script that creates the queue again sets it
-- anew. So an add that finds it has nothing to do, and no replica need remember anything. Both keys are in one slot of
-- a cluster, as all keys of a prefix are.
local function registerQueue(registry, meta)
  if rcall("HSETNX", meta, "jobgate.listed", "1") == 1 then
    rcall("ZADD", registry, 0, string.match(meta, "([^:]+):meta$"))
  end
end

-- Creates a queue unless it is there, as every script has to that gives a queue something of its own. It returns
-- how many events the queue keeps.
local function createQueue(registry, meta)
  local kept = keepEvents(meta)
  registerQueue(registry, meta)
  return kept
end
-- The largest time that a number of every client holds exactly.
local LARGEST_TIME = 9007199254740991

-- Notes by when a job must start, in its hash and in the set of its queue. Returns that time.
local function noteExpiry(job, expiring, id, timestamp, ttl)
  local expires = math.min(timestamp + ttl, LARGEST_TIME)
  local text = string.format("%.0f", expires)
  rcall("HSET", job, "jobgate:expires", text)
  rcall("ZADD", expiring, text, id)
  return expires
end

-- The register of the queues with jobs that may expire, and the name of the queue in it: neither has a colon.
local function registerOfExpiring(prefix)
  local ofAll, name = string.match(prefix, "^([^:]*):([^:]*):$")
  return ofAll .. "::jobgate:" .. "expiring", name
end

-- Lists a queue in the register of those with jobs that may expire, by when the first of these does.
local function listExpiring(queues, name, first)
  local known = rcall("ZSCORE", queues, name)
  if not known or tonumber(known) > first then rcall("ZADD", queues, string.format("%.0f", first), name) end
end
-- The id of a job from what the set of the waiting jobs of groups has for it: the group, a zero, an order of 20 digits, the
-- id.
local function idInGroup(member) return string.match(member, "%z....................(.*)$") end

local function isGroupedQueue(prefix) return rcall("HEXISTS", prefix .. "meta", "jobgate:groups") == 1 end

local placesOfGroups

-- Where the jobs of groups wait, and which groups take turns. The definitions cost nothing in a run that does not ask for
-- them, as on a queue without groups.
local function groupPlaces()
  if placesOfGroups then return placesOfGroups end
  -- Most groups without waiting jobs whose virtual time is remembered, as domain/attempts/turns has it.
  local MOST_IDLE = 10000

  -- Every other rule that reads or changes turns calls this first: a run that takes jobs buffers its changes of them.
  local writeTurns = function() end

  -- Whether a group is parked, by the prefix of its queue, where that is known.
  local parked = {}

  local function memberOf(group, order, id) return group .. "\0" .. order .. id end

  -- The virtual times are those of the memory store to the last bit.
  local function exact(number) return string.format("%.17g", number) end

  -- The register of the queues whose groups take turns, and the name of the queue in it: neither has a colon.
  local function registerOfTurns(prefix)
    local ofAll, name = string.match(prefix, "^([^:]*):([^:]*):$")
    return ofAll .. "::jobgate:" .. "queues-in-turns", name
  end

  -- When nothing waits and nothing runs, all groups begin anew, and nothing is left of them.
  local function forgetTurns(prefix)
    if rcall("EXISTS", prefix .. "jobgate:group-waiting", prefix .. "active", prefix .. "wait", prefix .. "prioritized",
        prefix .. "jobgate:gate-ending") > 0 then return end
    writeTurns()
    local forgotten = rcall("DEL", prefix .. "jobgate:group-turns", prefix .. "jobgate:group-ready", prefix .. "jobgate:group-idle",
      prefix .. "jobgate:group-parked", prefix .. "jobgate:group-running")
    if forgotten > 0 then
      local register, name = registerOfTurns(prefix)
      rcall("SREM", register, name)
    end
  end

  -- Has a group with a waiting job take turns, once buffered changes are written: from its own virtual time on, but not from an earlier one than that of the
  -- queue. Its own is looked up unless it is given.
  local function becomeReady(prefix, group, own)
    local turns = prefix .. "jobgate:group-turns"
    -- A group stays among the idle ones until the queue has passed that time, which does no harm.
    own = own or tonumber(rcall("ZSCORE", prefix .. "jobgate:group-idle", group) or "") or 0
    local time = math.max(own, tonumber(rcall("HGET", turns, "v") or "0"))
    local count = rcall("HINCRBY", turns, "s", 1)
    if count == 1 then
      local register, name = registerOfTurns(prefix)
      rcall("SADD", register, name)
    end
    local number = string.format("%014.0f", count)
    rcall("ZADD", prefix .. "jobgate:group-ready", exact(time), number .. group)
    rcall("HSET", turns, "g" .. group, "r" .. number)
  end

  -- The member of a group among those that are ready, by what is stored of its turns; nothing when it is not ready.
  local function readyMember(group, state)
    local number = string.match(state or "", "^r(%d+)$")
    return number and number .. group
  end

  -- Virtual times and groups, as ZADD takes them.
  local function rememberIdle(prefix, timesAndGroups)
    local idle = prefix .. "jobgate:group-idle"
    rcall("ZADD", idle, unpack(timesAndGroups))
    rcall("ZREMRANGEBYRANK", idle, 0, -MOST_IDLE - 1)
  end

  -- Has a group without waiting jobs take no turns.
  local function rest(prefix, group, time)
    rcall("HDEL", prefix .. "jobgate:group-turns", "g" .. group)
    if time > tonumber(rcall("HGET", prefix .. "jobgate:group-turns", "v") or "0") then
      rememberIdle(prefix, {exact(time), group})
    end
  end

  -- The same of a group that lost a waiting job, and has no other.
  local function restIfEmpty(prefix, group)
    local turns, ready = prefix .. "jobgate:group-turns", prefix .. "jobgate:group-ready"
    if rcall("ZLEXCOUNT", prefix .. "jobgate:group-waiting", "[" .. group .. "\0", "[" .. group .. "\0:") > 0 then return end
    writeTurns()
    local state = rcall("HGET", turns, "g" .. group)
    local member = readyMember(group, state)
    if member and member ~= rcall("HGET", turns, "m") then
      local time = tonumber(rcall("ZSCORE", ready, member))
      rcall("ZREM", ready, member)
      rest(prefix, group, time)
    elseif state and string.sub(state, 1, 1) == "p" then
      rcall("ZREM", prefix .. "jobgate:group-parked", group)
      rest(prefix, group, tonumber(string.sub(state, 2)))
    end
    forgetTurns(prefix)
  end

  -- The same of a group that may take turns already.
  local function takePart(prefix, group)
    writeTurns()
    if rcall("HEXISTS", prefix .. "jobgate:group-turns", "g" .. group) == 0 then becomeReady(prefix, group) end
  end

  -- The same where a job waits that did not run until now.
  local function beReady(prefix, group)
    forgetTurns(prefix)
    takePart(prefix, group)
  end

  -- Has a group that was parked take turns again. Returns whether it was parked.
  local function unpark(prefix, group)
    writeTurns()
    local state = rcall("HGET", prefix .. "jobgate:group-turns", "g" .. group)
    if not state or string.sub(state, 1, 1) == "r" then return false end
    rcall("ZREM", prefix .. "jobgate:group-parked", group)
    becomeReady(prefix, group, tonumber(string.sub(state, 2)))
    return true
  end

  -- Where the jobs of a group wait: part of rules/group-places, which includes it.

  -- The place of a waiting job in its group is an order of 20 digits: jobs that fell due come first, by that time, then
  -- those without a priority, then the others by theirs. In a band of equal ones the digits behind are numbers, so that a
  -- job can go ahead of all others as well as behind them.
  local MIDDLE_NUMBER = 500000000000

  local function putInGroup(prefix, group, id, order)
    rcall("ZADD", prefix .. "jobgate:group-waiting", 0, memberOf(group, order, id))
    rcall("HSET", prefix .. id, "jobgate:group-order", order)
  end

  -- Has a job wait at an end of those of its group and priority. A job keeps its place while it runs, so no number is given
  -- twice as long as one waits or runs.
  local function waitInGroup(prefix, group, id, priority, isAhead)
    beReady(prefix, group)
    local count = rcall("HINCRBY", prefix .. "jobgate:group-turns", "o", 1)
    local number = MIDDLE_NUMBER + (isAhead and -count or count)
    putInGroup(prefix, group, id, string.format("%s%07.0f%012.0f", priority > 0 and "2" or "1", priority, number))
  end

  -- Has a job that fell due wait: one without a priority ahead of the others, in the order of those times. The score is
  -- that of the delayed job.
  local function waitWhenDue(prefix, group, id, priority, score)
    if priority > 0 then
      waitInGroup(prefix, group, id, priority, false)
    else
      beReady(prefix, group)
      putInGroup(prefix, group, id, string.format("0%019.0f", score))
    end
  end

  -- The order of a job that goes ahead of all others of its group, even of those that fell due.
  local AHEAD_OF_ALL = "00000000000000000000"

  -- The defaults of groups, as JSON: those of the last claim, or else of the last look for native workers.
  local function lastDefaults(prefix)
    local known = rcall("HMGET", prefix .. "jobgate:group-turns", "d", "l")
    return known[1] or known[2]
  end

  local function areOrdered(prefix)
    local defaults = lastDefaults(prefix)
    return defaults and string.find(defaults, '"ordered":"', 1, true) and true
  end

  -- Has a job that was active wait where it was taken. In an ordered group none may overtake it.
  local function waitAgainInGroup(prefix, group, id)
    local order = areOrdered(prefix) and AHEAD_OF_ALL or rcall("HGET", prefix .. id, "jobgate:group-order")
    takePart(prefix, group)
    if order then putInGroup(prefix, group, id, order)
    else waitInGroup(prefix, group, id, tonumber(rcall("HGET", prefix .. id, "priority") or "") or 0, true) end
  end

  -- The job that is staged for native workers: part of rules/group-places, which includes it.

  -- How far from the end where jobs are taken a staged job may be, when native clients put others ahead of it.
  local MOST_AHEAD_OF_STAGED = 100

  -- The job that is staged for native workers and its group, as long as none of them has taken it; or nothing.
  local function stagedJob(prefix)
    local staged = rcall("HMGET", prefix .. "jobgate:group-turns", "n", "m")
    local id, group = staged[1], staged[2] and string.sub(staged[2], 15)
    if not id then return nil end
    if rcall("LPOS", prefix .. "wait", id, "RANK", -1, "MAXLEN", MOST_AHEAD_OF_STAGED) or
        group == "" and rcall("ZSCORE", prefix .. "prioritized", id) then return id, group end
  end

  -- A staged job is staged no more. One of a group is out of any place from then on.
  local function unstage(prefix, id, group)
    rcall("HDEL", prefix .. "jobgate:group-turns", "n", "m")
    if group == "" then return end
    rcall("LREM", prefix .. "wait", -1, id)
    rcall("HDEL", prefix .. "jobgate:group-running", id)
  end

  -- A staged job of a group waits in its group again.
  local function putStagedBack(prefix, id, group)
    unstage(prefix, id, group)
    if group ~= "" then
      rcall("ZADD", prefix .. "jobgate:group-waiting", 0, memberOf(group, rcall("HGET", prefix .. id, "jobgate:group-order"), id))
    end
  end

  -- The same of a group of which no job may start.
  local function unstageGroup(prefix, group)
    local id, ofGroup = stagedJob(prefix)
    if id and ofGroup == group then putStagedBack(prefix, id, group) end
  end

  -- Takes a waiting job out of its group, if it has one. Returns how many were taken out.
  local function takeOutOfGroup(prefix, id)
    local place = rcall("HMGET", prefix .. id, "jobgate:group", "jobgate:group-order")
    if not place[1] or not place[2] then return 0 end
    if rcall("ZREM", prefix .. "jobgate:group-waiting", memberOf(place[1], place[2], id)) == 0 then
      if rcall("HGET", prefix .. "jobgate:group-turns", "n") ~= id or not stagedJob(prefix) then return 0 end
      unstage(prefix, id, place[1])
    end
    restIfEmpty(prefix, place[1])
    return 1
  end

  -- A job of a group does not run any more: another one may start in its place. Returns whether one could not before.
  local function freePlace(prefix, group)
    if parked[prefix] == nil then parked[prefix] = rcall("EXISTS", prefix .. "jobgate:group-parked") == 1 end
    return parked[prefix] and unpark(prefix, group)
  end

  -- The same of a job that counted as running.
  local function leaveGroup(prefix, group, id)
    rcall("HDEL", prefix .. "jobgate:group-running", id)
    return freePlace(prefix, group)
  end

  placesOfGroups = {
    exact = exact,
    lastDefaults = lastDefaults,
    registerOfTurns = registerOfTurns,
    forgetTurns = forgetTurns,
    beReady = beReady,
    writeFirst = function(write) writeTurns = write end,
    readyMember = readyMember,
    notePark = function(prefix) parked[prefix] = true end,
    rememberIdle = rememberIdle,
    unpark = unpark,
    waitInGroup = waitInGroup,
    waitWhenDue = waitWhenDue,
    waitAgainInGroup = waitAgainInGroup,
    stagedJob = stagedJob,
    putStagedBack = putStagedBack,
    unstageGroup = unstageGroup,
    takeOutOfGroup = takeOutOfGroup,
    freePlace = freePlace,
    leaveGroup = leaveGroup,
  }
  return placesOfGroups
end

-- Fails where a key of the groups has another type, before anything is written.
local function checkGroupKeys(prefix)
  rcall("ZCARD", prefix .. "jobgate:group-waiting")
  rcall("ZCARD", prefix .. "jobgate:group-ready")
  rcall("HLEN", prefix .. "jobgate:group-turns")
end

-- Has the queue take turns from now on. Jobs without a group that were there first have the first turn.
local function becomeGrouped(prefix, meta, wait, prioritized)
  rcall("HSET", meta, "jobgate:groups", "1")
  if rcall("EXISTS", wait, prioritized) > 0 then groupPlaces().beReady(prefix, "") end
end
-- Whether the deadline (epoch ms of the store) of a run is over: its caller has given up, so it must change nothing.
local function cameLate(deadline)
  local time = rcall("TIME")
  return tonumber(time[1]) * 1000 + tonumber(time[2]) / 1000 > tonumber(deadline)
end
-- Writes the record of a job that is added, from where it is staged, if it is.
local function writeJob(job, staged, name, data, opts, timestamp, delay, priority)
  if staged then
    rcall("RENAME", staged, job)
    rcall("PERSIST", job)
  else
    rcall("HSET", job, "name", name, "data", data, "opts", opts, "timestamp", timestamp, "delay", delay,
      "priority", priority)
  end
end

-- Notes the group of a job that is added, and its cost unless that is the usual one.
local function joinGroup(job, group, cost)
  rcall("HSET", job, "jobgate:group", group)
  if cost ~= "1" then rcall("HSET", job, "jobgate:group-cost", cost) end
end
-- The score of a job among those with a priority, in the order of their adds. Beyond priority 2097151, which BullMQ does
-- not have, only every other number is exact.
local function getPriorityScore(priority, priorityCounterKey)
  local prioCounter = rcall("INCR", priorityCounterKey)
  if priority >= 0x200000 then return priority * 0x100000000 + (prioCounter % 0x100000000) * 2 end
  return priority * 0x100000000 + prioCounter % 0x100000000
end

local FIRST = 9
local wait, active, prioritized, delayed, events, meta, counter, marker, priorityCounter, registry =
  KEYS[1], KEYS[2], KEYS[3], KEYS[4], KEYS[5], KEYS[6], KEYS[7], KEYS[8], KEYS[9], KEYS[10]
local prefix, timestamp, deadline, staged, maxWaiting =
  ARGV[1], ARGV[2], ARGV[3], ARGV[4], tonumber(ARGV[5])
local isStaged, isDeduplicating = staged ~= "", ARGV[7] == "1"
local fields = (isStaged and 2 or 4) + (isDeduplicating and 1 or 0)
local count = (#ARGV - FIRST + 1) / fields

if cameLate(deadline) then return 0 end

local identity, records, record
if ARGV[6] ~= "" then

  -- What the record of an add's key says of an add of that body, or nothing when the key is unknown: "other" for another
  -- body, "running" while the add stores its jobs in several runs, or "repeated", its time, the number of its first job,
  -- the jobs that existed, with the bytes that each takes in an answer, and its defaults.
  local function recall(record, body, jobPrefix)
    local known = rcall("GET", record)
    if not known then return nil end
    local timestamp, text = string.match(known, "^(%d*):(.*)$")
    local add = cjson.decode(text)
    if add[1] ~= body then return {"other"} end
    if timestamp == "" then return {"running"} end
    for _, existing in ipairs(add[3]) do
      local job = jobPrefix .. existing[2]
      existing[4] = rcall("TYPE", job).ok == "hash" and bytesOf(job) or 0
    end
    return {"repeated", timestamp, add[2], add[3], add[4]}
  end
  identity, records = cjson.decode(ARGV[6]), prefix .. "jobgate:idempotency"
  record = records .. "-" .. identity.key
  local known = recall(record, identity.body, prefix)
  -- A batch that was staged holds the claim itself.
  if known and not (isStaged and known[1] == "running") then return known end
  rcall("LLEN", records)
end

-- Remembers the add, if it is to be, and returns what the script does. `first` is the number of the first job.
local function answered(answers, first)
  if not identity then return answers end
  -- Expired adds that one run removes: more than one, so that their number decreases.
  local MOST_EXPIRED = 10

  -- Remembers an add under its record with the answers for its jobs, the first of which has the number `first` (text),
  -- and forgets the oldest ones. The script has checked everything that could fail: the record is a string or does not
  -- exist, and the adds are a list or do not exist.
  local function remember(record, records, body, defaults, timestamp, first, answers)
    local existing = {}
    for index, answer in ipairs(answers) do
      if type(answer) == "table" then existing[#existing + 1] = {index - 1, answer[1], answer[3] or 0} end
    end
    local text = timestamp .. ":" .. cjson.encode({body, first, existing, defaults})
    rcall("SET", record, text, "PX", 86400000)
    local entry = timestamp .. ":" .. string.sub(record, #records + 2)
    for _ = 1, math.ceil(#text / 1024) do rcall("RPUSH", records, entry) end
    rcall("PEXPIRE", records, 86400000)

    local excess = rcall("LLEN", records) - 100000
    local old = rcall("LRANGE", records, 0, math.max(excess, MOST_EXPIRED) - 1)
    local gone = 0
    for index, each in ipairs(old) do
      local time, key = string.match(each, "^(%d+):(.*)$")
      if index > excess and tonumber(time) + 86400000 > tonumber(timestamp) then break end
      -- A key that was forgotten may have been given to a later add, which is not meant.
      local other = records .. "-" .. key
      if rcall("GETRANGE", other, 0, #time) == time .. ":" then rcall("UNLINK", other) end
      gone = index
    end
    if gone > 0 then rcall("LTRIM", records, gone, -1) end
  end
  remember(record, records, identity.body, identity.defaults, timestamp, string.format("%.0f", first), answers)
  return {"added", answers}
end
if count == 0 then return answered({}, 1) end

local queue = rcall("HMGET", meta, "opts.maxLenEvents", "paused", "concurrency", "jobgate.listed", "jobgate:groups")
local isGrouped = queue[5]
local startable = not queue[2] and not (queue[3] and rcall("LLEN", active) >= tonumber(queue[3]))
rcall("LLEN", wait)
rcall("XLEN", events)
rcall("ZCARD", marker)
if not queue[4] then rcall("ZCARD", registry) end

if isStaged then
  -- Whether all jobs of a staged batch are there, which expire.
  local function areStaged(staged, count)
    for first = 0, count - 1, 1000 do
      local keys = {}
      for number = first, math.min(first + 999, count - 1) do keys[#keys + 1] = staged .. number end
      if rcall("EXISTS", unpack(keys)) < #keys then return false end
    end
    return true
  end
  if not areStaged(staged, count) then return 0 end
end

local deduplications, wouldStore, deduplicate = {}, nil, nil
if isDeduplicating then
  local function getNextDelayedTimestamp(delayedKey)
    local result = rcall("ZRANGE", delayedKey, 0, 0, "WITHSCORES")
    if #result then
      local nextTimestamp = tonumber(result[2])
      if nextTimestamp ~= nil then
        return nextTimestamp / 0x1000
      end
    end
  end

  local function addDelayMarkerIfNeeded(markerKey, delayedKey)
    local nextTimestamp = getNextDelayedTimestamp(delayedKey)
    if nextTimestamp ~= nil then
      -- Replace the score of the marker with the newest known
      -- next timestamp.
      rcall("ZADD", markerKey, nextTimestamp, "1")
    end
  end

  local function addDelayedJob(jobId, delayedKey, eventsKey, timestamp,
    maxEvents, markerKey, delay)

    local score, delayedTimestamp = getDelayedScore(delayedKey, timestamp, tonumber(delay))

    rcall("ZADD", delayedKey, score, jobId)
    rcall("XADD", eventsKey, "MAXLEN", "~", maxEvents, "*", "event", "delayed",
      "jobId", jobId, "delay", delayedTimestamp)

    -- mark that a delayed job is available
    addDelayMarkerIfNeeded(markerKey, delayedKey)
  end
  local function setDeduplicationKey(deduplicationKey, jobId, deduplicationOpts)
      local ttl = deduplicationOpts and deduplicationOpts['ttl']
      if ttl and ttl > 0 then
          rcall('SET', deduplicationKey, jobId, 'PX', ttl)
      else
          rcall('SET', deduplicationKey, jobId)
      end
  end

  local function recoverStaleDeduplicationKey(deduplicationKey, prefix, currentDeduplicatedJobId, jobId,
      deduplicationId, deduplicationOpts)
      if currentDeduplicatedJobId and rcall('PTTL', deduplicationKey) == -1 and
          rcall('EXISTS', prefix .. currentDeduplicatedJobId) == 0 then
          rcall('DEL', deduplicationKey)
          -- Discard any pending next-job payload stored for the stale winner,
          -- otherwise it would be resurrected when this job finalizes.
          rcall('DEL', prefix .. "dn:" .. deduplicationId)
          if deduplicationOpts['keepLastIfActive'] then
              rcall('SET', deduplicationKey, jobId)
          else
              setDeduplicationKey(deduplicationKey, jobId, deduplicationOpts)
          end
          return true
      end
      return false
  end
  -- Keeps a job to be added once the active one of its deduplication id ends, if it asks for that. Returns whether it
  -- did. BullMQ's functions call it by this name. Theirs writes the options as it encodes them anew; here `fullOpts.text`
  -- is what was given, so that numbers and empty arrays remain as they were.
  local function storeDeduplicatedNextJob(deduplication, activeId, prefix, deduplicationId, name, data, fullOpts, events,
      maxEvents, jobId)
    if not deduplication["keepLastIfActive"] or not activeId then return false end
    if not rcall("LPOS", prefix .. "active", activeId) then return false end
    local next = prefix .. "dn:" .. deduplicationId
    rcall("DEL", next)
    rcall("HSET", next, "name", name, "data", data, "opts", fullOpts.text, "jid", jobId)
    -- Without the key, an add while the job is active would not find it.
    rcall("PERSIST", prefix .. "de:" .. deduplicationId)
    rcall("XADD", events, "MAXLEN", "~", maxEvents, "*", "event", "deduplicated", "jobId", activeId,
      "deduplicationId", deduplicationId, "deduplicatedJobId", jobId)
    return true
  end

  local function deduplicateJobWithoutReplace(deduplicationId, deduplicationOpts, jobId, deduplicationKey,
      eventsKey, maxEvents, prefix, jobName, jobData, fullOpts,
      parentKey, parentData, parentDependenciesKey, repeatJobKey)
      local ttl = deduplicationOpts['ttl']
      local deduplicationKeyExists

      if ttl and ttl > 0 then
          if deduplicationOpts['extend'] then
              local currentDeduplicatedJobId = rcall('GET', deduplicationKey)
              if currentDeduplicatedJobId then
                  if recoverStaleDeduplicationKey(deduplicationKey, prefix, currentDeduplicatedJobId,
                      jobId, deduplicationId, deduplicationOpts) then
                      return
                  end
                  if storeDeduplicatedNextJob(deduplicationOpts, currentDeduplicatedJobId, prefix,
                      deduplicationId, jobName, jobData, fullOpts, eventsKey, maxEvents, jobId,
                      parentKey, parentData, parentDependenciesKey, repeatJobKey) then
                      return currentDeduplicatedJobId
                  end
                  if deduplicationOpts['keepLastIfActive'] then
                      rcall('SET', deduplicationKey, currentDeduplicatedJobId)
                  else
                      setDeduplicationKey(deduplicationKey, currentDeduplicatedJobId, deduplicationOpts)
                  end
                  rcall("XADD", eventsKey, "MAXLEN", "~", maxEvents, "*", "event", "deduplicated", "jobId",
                      currentDeduplicatedJobId, "deduplicationId", deduplicationId, "deduplicatedJobId", jobId)
                  return currentDeduplicatedJobId
              else
                  if deduplicationOpts['keepLastIfActive'] then
                      rcall('SET', deduplicationKey, jobId)
                  else
                      setDeduplicationKey(deduplicationKey, jobId, deduplicationOpts)
                  end
                  return
              end
          else
              if deduplicationOpts['keepLastIfActive'] then
                  deduplicationKeyExists = not rcall('SET', deduplicationKey, jobId, 'NX')
              else
                  deduplicationKeyExists = not rcall('SET', deduplicationKey, jobId, 'PX', ttl, 'NX')
              end
          end
      else
          deduplicationKeyExists = not rcall('SET', deduplicationKey, jobId, 'NX')
      end

      if deduplicationKeyExists then
          local currentDeduplicatedJobId = rcall('GET', deduplicationKey)

          if recoverStaleDeduplicationKey(deduplicationKey, prefix, currentDeduplicatedJobId,
              jobId, deduplicationId, deduplicationOpts) then
              return
          end

          if storeDeduplicatedNextJob(deduplicationOpts, currentDeduplicatedJobId, prefix,
              deduplicationId, jobName, jobData, fullOpts, eventsKey, maxEvents, jobId,
              parentKey, parentData, parentDependenciesKey, repeatJobKey) then
              return currentDeduplicatedJobId
          end

          rcall("XADD", eventsKey, "MAXLEN", "~", maxEvents, "*", "event", "deduplicated", "jobId",
              currentDeduplicatedJobId, "deduplicationId", deduplicationId, "deduplicatedJobId", jobId)
          return currentDeduplicatedJobId
      end
  end
  local function removeJobKeys(jobKey)
    return rcall("DEL", jobKey, jobKey .. ':logs', jobKey .. ':dependencies',
      jobKey .. ':processed', jobKey .. ':failed', jobKey .. ':unsuccessful')
  end

  local function removeDelayedJob(delayedKey, deduplicationKey, eventsKey, maxEvents, currentDeduplicatedJobId,
      jobId, deduplicationId, prefix)
      if rcall("ZREM", delayedKey, currentDeduplicatedJobId) > 0 then
          removeJobKeys(prefix .. currentDeduplicatedJobId)
          rcall("XADD", eventsKey, "*", "event", "removed", "jobId", currentDeduplicatedJobId,
              "prev", "delayed")

          rcall("XADD", eventsKey, "MAXLEN", "~", maxEvents, "*", "event", "deduplicated", "jobId",
              jobId, "deduplicationId", deduplicationId, "deduplicatedJobId", currentDeduplicatedJobId)

          return true
      end

      return false
  end

  local function deduplicateJob(deduplicationOpts, jobId, delayedKey, deduplicationKey, eventsKey, maxEvents,
      prefix, jobName, jobData, fullOpts, parentKey, parentData, parentDependenciesKey, repeatJobKey, timestamp)
      local deduplicationId = deduplicationOpts and deduplicationOpts['id']
      if deduplicationId then
          if deduplicationOpts['replace'] then
              local currentDeduplicatedJobId = rcall('GET', deduplicationKey)
              if currentDeduplicatedJobId then
                  local isRemoved = removeDelayedJob(delayedKey, deduplicationKey, eventsKey, maxEvents,
                      currentDeduplicatedJobId, jobId, deduplicationId, prefix)
                  if isRemoved then
                      -- Discard any pending next-job payload stored while the replaced
                      -- job was active, otherwise it would be resurrected when the
                      -- incoming job finalizes.
                      rcall('DEL', prefix .. "dn:" .. deduplicationId)

                      if deduplicationOpts['keepLastIfActive'] then
                          rcall('SET', deduplicationKey, jobId)
                      else
                          local ttl = deduplicationOpts['ttl']
                          if not deduplicationOpts['extend'] and ttl and ttl > 0 then
                              rcall('SET', deduplicationKey, jobId, 'KEEPTTL')
                          else
                              setDeduplicationKey(deduplicationKey, jobId, deduplicationOpts)
                          end
                      end
                      return
                  else
                      if recoverStaleDeduplicationKey(deduplicationKey, prefix, currentDeduplicatedJobId,
                          jobId, deduplicationId, deduplicationOpts) then
                          return
                      end

                      storeDeduplicatedNextJob(deduplicationOpts, currentDeduplicatedJobId, prefix,
                          deduplicationId, jobName, jobData, fullOpts, eventsKey, maxEvents, jobId,
                          parentKey, parentData, parentDependenciesKey, repeatJobKey)
                      return currentDeduplicatedJobId
                  end
              else
                  if deduplicationOpts['keepLastIfActive'] then
                      rcall('SET', deduplicationKey, jobId)
                  else
                      setDeduplicationKey(deduplicationKey, jobId, deduplicationOpts)
                  end
                  return
              end
          else
              local currentDeduplicatedJobId = deduplicateJobWithoutReplace(deduplicationId, deduplicationOpts,
                  jobId, deduplicationKey, eventsKey, maxEvents, prefix, jobName, jobData, fullOpts,
                  parentKey, parentData, parentDependenciesKey, repeatJobKey)
              if currentDeduplicatedJobId and deduplicationOpts['reschedule'] and
                  rcall('ZSCORE', delayedKey, currentDeduplicatedJobId) then
                  local delay = tonumber(fullOpts['delay']) or 0
                  rcall('HSET', prefix .. currentDeduplicatedJobId, 'delay', delay)
                  addDelayedJob(currentDeduplicatedJobId, delayedKey, eventsKey, timestamp,
                      maxEvents, prefix .. 'marker', delay)
              end
              return currentDeduplicatedJobId
          end
      end
  end

  -- The deduplications of a batch: `fields` arguments of each job from `first` on, of which the last is its deduplication
  -- as JSON, or empty. It fails when a deduplication id is held by what is not a job. Returns
  --
  -- - the deduplication of each job that has one, by the index of its first argument;
  -- - a function that returns whether the job at an index would be stored, if those before it were as they would be: that
  --   frees the id of one that it replaces;
  -- - a function that returns for the one at an index the job that stands for its deduplication id, as an add answers it,
  --   and nothing when the one at the index is to be stored. `bytes` loses the id of a job that was replaced.
  local function deduplicating(prefix, delayed, events, first, fields, timestamp)
    local deduplications, standings = {}, {}
    for index = first, #ARGV, fields do
      local text = ARGV[index + fields - 1]
      if text ~= "" then
        local deduplication = cjson.decode(text)
        deduplications[index] = deduplication
        local standing = rcall("GET", prefix .. "de:" .. deduplication["id"])
        if standing then rcall("HLEN", prefix .. standing) end
      end
    end

    local function standingFor(key)
      if standings[key] then return standings[key] end
      local id = rcall("GET", key)
      return id and {id = id, isDelayed = rcall("ZSCORE", delayed, id), isGone = rcall("EXISTS", prefix .. id) == 0,
        isEndless = rcall("PTTL", key) == -1}
    end

    local function wouldStore(index, id, isDelayed, taken, freed)
      local deduplication = deduplications[index]
      if not deduplication then return true end
      local key = prefix .. "de:" .. deduplication["id"]
      local standing = standingFor(key)
      local isReplaced = standing and deduplication["replace"] and standing.isDelayed
      if isReplaced then taken[standing.id], freed[standing.id] = nil, true end
      if not standing or isReplaced or standing.isGone and standing.isEndless then
        standings[key] = {id = id, isDelayed = isDelayed}
        return true
      end
      local isExtended = deduplication["extend"] and not deduplication["replace"] and (deduplication["ttl"] or 0) > 0
      if isExtended and deduplication["keepLastIfActive"] then standing.isEndless = true end
      standings[key] = standing
      return false
    end

    local function deduplicate(index, id, name, data, opts, delay, bytes, maxEvents)
      local deduplication = deduplications[index]
      local key = prefix .. "de:" .. deduplication["id"]
      local before = rcall("GET", key)
      local standing = deduplicateJob(deduplication, id, delayed, key, events, maxEvents, prefix, name, data,
        {delay = tonumber(delay), text = opts}, nil, nil, nil, nil, timestamp)
      if before and bytes[before] and rcall("EXISTS", prefix .. before) == 0 then bytes[before] = nil end
      local job = standing and prefix .. standing
      return job and {standing, rcall("EXISTS", job) == 1 and bytesOf(job) or 0, 1}
    end

    return deduplications, wouldStore, deduplicate
  end
  rcall("ZCARD", delayed)
  rcall("LLEN", active)
  deduplications, wouldStore, deduplicate = deduplicating(prefix, delayed, events, FIRST, fields, timestamp)
end

local contents = contentsOf(FIRST, fields, prefix, deduplications)
local bytes, anyOfGroup = contents.bytes, contents.hasGroups
local expiring, expiringQueues, queueName
if contents.isExpiring then
  expiring, expiringQueues, queueName = prefix .. "jobgate:expiring", registerOfExpiring(prefix)
  rcall("ZCARD", expiring)
  rcall("ZCARD", expiringQueues)
end
if contents.isDelayed then rcall("ZCARD", delayed) end
if contents.isPrioritized then
  rcall("ZCARD", prioritized)
  if not tonumber(rcall("GET", priorityCounter) or 0) then
    return redis.error_reply("WRONGTYPE " .. priorityCounter .. " is not a number")
  end
end
if anyOfGroup or isGrouped then checkGroupKeys(prefix) end

if maxWaiting or anyOfGroup then
  -- Why the jobs of a batch are not stored, as what the script returns: too many jobs would wait, or too many of a group.
  -- Nothing when there is room for all of them.
  --
  -- batch: first and fields (where its arguments begin, and how many of them a job has), bytes (of the jobs that exist, by
  -- id), wouldStore, maxWaiting and maxOfGroup (nothing for any number), hasGroups (whether it has jobs of groups)
  local function refusalOf(batch, prefix, wait, prioritized, isGrouped)
    local first, fields, bytes = batch.first, batch.fields, batch.bytes
    if batch.maxWaiting then
      -- How many jobs of a batch would wait at once, found before anything of it is written. `bytes` has the ids that exist;
      -- `wouldStore`, where jobs have deduplication ids, says whether the job at an index would be stored.
      local function waitingOfBatch(first, fields, bytes, wouldStore)
        local toWait, taken, freed = 0, {}, {}
        for index = first, #ARGV, fields do
          local delay, _, _, id = placeOf(ARGV[index])
          if not taken[id] and (freed[id] or not bytes[id])
              and (not wouldStore or wouldStore(index, id, delay ~= "0", taken, freed)) then
            if id ~= "" then taken[id] = true end
            if delay == "0" then toWait = toWait + 1 end
          end
        end
        return toWait
      end
      local toWait = waitingOfBatch(first, fields, bytes, batch.wouldStore)
      local ofGroups = isGrouped and rcall("ZCARD", prefix .. "jobgate:group-waiting") or 0
      local waiting = rcall("LLEN", wait) + rcall("ZCARD", prioritized) + ofGroups
      if toWait > 0 and waiting + toWait > batch.maxWaiting then return 1 end
    end
    if not batch.hasGroups then return nil end
    -- The time on the store's own clock, which counts for all replicas, in epoch ms.
    local function storeTime()
        local time = rcall("TIME")
        return tonumber(time[1]) * 1000 + tonumber(time[2]) / 1000
    end

    -- By how much a limiter's window is stretched, as limiterWindow has it.
    local STRETCHED_BY, LONGEST_STRETCH = 1 / 20, 50

    local function windowOf(limiter)
      return math.ceil(limiter.duration + math.min(limiter.duration * STRETCHED_BY, LONGEST_STRETCH))
    end

    -- Among the starts of groups: those of all together. No group has this id.
    local OF_ALL_GROUPS = "\127"

    -- A colon in the name of a key would make it that of another job.
    local function groupStarts(prefix, group) return prefix .. "jobgate:group-starts-" .. string.gsub(group, ":", "\1") end

    -- What holds for the groups of a queue, as domain/groups/group-settings has it, and why no job of one starts, as
    -- domain/attempts/turns has it. What all groups share is read once in a run.
    --
    -- defaults: as JSON, or nothing; writeRunning: called before the jobs that run are counted, where a run keeps some back
    local function groupTerms(prefix, defaults, writeRunning)
      local terms, counts, hasSettings, hasStates, ofAll, areHeld = {}, nil, nil, nil, nil, nil

      local function termsOfAll()
        return {concurrency = ofAll.concurrency, limiter = ofAll.limiter, maxWaiting = ofAll.maxWaiting,
          ordered = ofAll.ordered or false, weight = 1}
      end
      local withoutSettings

      function terms.of(group)
        if not ofAll then
          ofAll = (defaults and defaults ~= "" and cjson.decode(defaults)) or {}
          withoutSettings = termsOfAll()
        end
        if hasSettings == nil then hasSettings = rcall("EXISTS", prefix .. "jobgate:group-settings") == 1 end
        local text = hasSettings and rcall("HGET", prefix .. "jobgate:group-settings", group)
        local settings = text and cjson.decode(text)
        if settings and settings.expires and settings.expires <= storeTime() then
          rcall("HDEL", prefix .. "jobgate:group-settings", group)
          settings = nil
        end
        if not settings then return withoutSettings end
        local merged = termsOfAll()
        for _, name in ipairs({"concurrency", "limiter", "maxWaiting", "weight"}) do
          if settings[name] ~= nil then merged[name] = settings[name] end
        end
        merged.expires = settings.expires
        return merged
      end

      local function count(groups)
        for index = 1, #groups do
          local group = groups[index]
          counts[group or ""] = (counts[group or ""] or 0) + 1
        end
      end

      -- How many jobs of a group run: counted from those that are active, and the calls of cancelled jobs that still end.
      function terms.running(group)
        if not counts then
          counts = {}
          if writeRunning then writeRunning() end
          local ids, running = rcall("LRANGE", prefix .. "active", 0, -1), prefix .. "jobgate:group-running"
          for from = 1, #ids, 1000 do
            count(rcall("HMGET", running, unpack(ids, from, math.min(#ids, from + 999))))
          end
          local tokens = rcall("ZRANGEBYSCORE", prefix .. "jobgate:gate-ending", storeTime(), "+inf")
          for _, token in ipairs(tokens) do 
            local group = rcall("HGET", running, "!" .. token)
            if group then count({group}) end
          end
        end
        return counts[group] or 0
      end

      -- A job of the group starts in this run.
      function terms.noteStart(group)
        if counts then counts[group] = (counts[group] or 0) + 1 end
      end

      -- The failed job that blocks the group, or nothing.
      local function failedJob(group)
        local id = rcall("HGET", prefix .. "jobgate:group-blocks", "f" .. group)
        if id and not rcall("ZSCORE", prefix .. "failed", id) then
          rcall("HDEL", prefix .. "jobgate:group-blocks", "f" .. group)
          return nil
        end
        return id
      end

      -- The job that is to be tried again before the others of the group, and when, or nothing.
      local function retriedJob(group)
        local id = rcall("HGET", prefix .. "jobgate:group-blocks", "h" .. group)
        local score = id and rcall("ZSCORE", prefix .. "delayed", id)
        if id and not score then rcall("HDEL", prefix .. "jobgate:group-blocks", "h" .. group) end
        if score then return id, math.floor(tonumber(score) / 0x1000) end
      end

      function terms.isPaused(group)
        if hasStates == nil then hasStates = rcall("EXISTS", prefix .. "jobgate:group-states") == 1 end
        return hasStates and rcall("HEXISTS", prefix .. "jobgate:group-states", "p" .. group) == 1
      end

      -- Until when the group is held, or nothing.
      function terms.heldUntil(group)
        if areHeld == nil then areHeld = rcall("EXISTS", prefix .. "jobgate:group-held") == 1 end
        local till = areHeld and tonumber(rcall("ZSCORE", prefix .. "jobgate:group-held", group) or "")
        return till and till > storeTime() and till or nil
      end

      -- Why no job of the group starts, until when where that is known, and because of which job; or nothing.
      function terms.blockedBy(group, own)
        if terms.isPaused(group) then return "paused" end
        local till = terms.heldUntil(group)
        if till then return "held", till end
        if own.ordered == "block" then
          local id = failedJob(group)
          if id then return "failed-job", nil, id end
        end
        if own.ordered then
          local id, dueAt = retriedJob(group)
          if id and dueAt > storeTime() then return "failed-job", dueAt, id end
        end
        local most = own.ordered and 1 or own.concurrency
        if most and terms.running(group) >= most then return "concurrency" end
        if own.limiter then
          local last = tonumber(rcall("LINDEX", groupStarts(prefix, group), -own.limiter.max) or "")
          local now = storeTime()
          if last and last <= now and last + windowOf(own.limiter) > now then
            return "limiter", math.ceil(last + windowOf(own.limiter))
          end
        end
        return nil
      end

      return terms
    end

    -- Returns a function that counts one more job of a group, and returns how many of the group come before that one when there
    -- is no room for it, else nothing. Returns nothing when every group has room.
    --
    -- ofAll: how many jobs of a group may wait unless its settings say otherwise, or nothing
    local function roomOfGroups(prefix, ofAll)
      if not ofAll and rcall("EXISTS", prefix .. "jobgate:group-settings") == 0 then return nil end
      local terms = groupTerms(prefix, ofAll and cjson.encode({maxWaiting = ofAll}) or nil)
      local waiting, toWait, most = {}, {}, {}
      local _, ofStaged = groupPlaces().stagedJob(prefix)
      return function(group)
        if not waiting[group] then
          waiting[group] = rcall("ZLEXCOUNT", prefix .. "jobgate:group-waiting", "[" .. group .. "\0", "[" .. group .. "\0:") +
            (group == ofStaged and 1 or 0)
          toWait[group], most[group] = 0, terms.of(group).maxWaiting or math.huge
        end
        toWait[group] = toWait[group] + 1
        if waiting[group] + toWait[group] > most[group] then return waiting[group] + toWait[group] - 1 end
      end
    end
    local addTo = roomOfGroups(prefix, batch.maxOfGroup)
    for index = addTo and first or math.huge, #ARGV, fields do
      local delay, _, _, id, _, _, group = placeOf(ARGV[index])
      local full = group and delay == "0" and not bytes[id] and addTo(group)
      if full then return {-104, (index - first) / fields, full} end
    end
  end
  local refusal = refusalOf({
    first = FIRST, fields = fields, bytes = bytes, wouldStore = wouldStore, hasGroups = anyOfGroup,
    maxWaiting = maxWaiting, maxOfGroup = tonumber(ARGV[8]),
  }, prefix, wait, prioritized, isGrouped)
  if refusal then
    -- The next add need not wait for the claim of this one.
    if identity and isStaged then rcall("UNLINK", record) end
    return refusal
  end
end

local number = rcall("INCRBY", counter, count) - count
local first = number + 1
local maxEvents = queue[4] and queue[1] or createQueue(registry, meta)
local writeEvent = batchEvents(events, maxEvents, contents.events)
if anyOfGroup and not isGrouped then
  becomeGrouped(prefix, meta, wait, prioritized)
  isGrouped = true
end
local push, pushRest = batchPushes(wait)

local answers, anyWaiting, anyUngrouped, anyAddedDelayed, firstExpiry = {}, false, false, false, nil
for index = FIRST, #ARGV, fields do
  local delay, priority, lifo, id, ttl, cost, group = placeOf(ARGV[index])
  local name, data, opts = ARGV[index + 1], ARGV[index + 2], ARGV[index + 3]
  local isNumbered, source, existing = id == "", isStaged and staged .. (index - FIRST) / fields, nil
  number = number + 1
  if isNumbered then id = number < 1e14 and tostring(number) or string.format("%.0f", number) end
  if bytes[id] then
    writeEvent("duplicated", id)
    existing = {id, bytes[id]}
  elseif deduplications[index] then
    if isStaged then data, opts = unpack(rcall("HMGET", source, "data", "opts")) end
    existing = deduplicate(index, id, name, data, opts, delay, bytes, maxEvents)
  end
  if existing then
    answers[#answers + 1] = existing
    if isStaged then rcall("UNLINK", source) end
  else
    local job = prefix .. id
    writeJob(job, isStaged and source, name, data, opts, timestamp, delay, priority)
    if deduplications[index] then rcall("HSET", job, "deid", deduplications[index]["id"]) end
    if group then joinGroup(job, group, cost) end
    if ttl ~= "0" then
      local expires = noteExpiry(job, expiring, id, timestamp, ttl)
      firstExpiry = math.min(expires, firstExpiry or expires)
    end
    if not isNumbered then bytes[id] = isStaged and bytesOf(job) or #name + #data + #opts end
    writeEvent("added", id, "name", name, group)
    if delay ~= "0" then
      local score, dueAt = getDelayedScore(delayed, timestamp, tonumber(delay))
      rcall("ZADD", delayed, score, id)
      writeEvent("delayed", id, "delay", dueAt, group)
      anyAddedDelayed = true
    else
      if group then
        groupPlaces().waitInGroup(prefix, group, id, tonumber(priority), lifo == "1")
      elseif priority ~= "0" then
        rcall("ZADD", prioritized, getPriorityScore(tonumber(priority), priorityCounter), id)
      else
        push(id, lifo)
      end
      if isGrouped and not group and not anyUngrouped then
        groupPlaces().beReady(prefix, "")
        anyUngrouped = true
      end
      writeEvent("waiting", id, nil, nil, group)
      anyWaiting = true
    end
    answers[#answers + 1] = id
  end
end
pushRest()

if firstExpiry then listExpiring(expiringQueues, queueName, firstExpiry) end
if anyWaiting and startable then rcall("ZADD", marker, 0, "0") end
if anyAddedDelayed then
  local function getNextDelayedTimestamp(delayedKey)
    local result = rcall("ZRANGE", delayedKey, 0, 0, "WITHSCORES")
    if #result then
      local nextTimestamp = tonumber(result[2])
      if nextTimestamp ~= nil then
        return nextTimestamp / 0x1000
      end
    end
  end

  local function addDelayMarkerIfNeeded(markerKey, delayedKey)
    local nextTimestamp = getNextDelayedTimestamp(delayedKey)
    if nextTimestamp ~= nil then
      -- Replace the score of the marker with the newest known
      -- next timestamp.
      rcall("ZADD", markerKey, nextTimestamp, "1")
    end
  end
  addDelayMarkerIfNeeded(marker, delayed)
end
return answered(answers, first)
