-- Puts active jobs without a lock back that were suspected before, and suspects those that have none now. A job that
-- stalled too often fails at its next start. Returns their ids, and 1 when others are suspected, else 0.
--
-- A check counts only when the one before is some time ago. BullMQ suspects every active job: a store that recovers
-- after all locks expired would then put their jobs back at the first check, before any replica could renew them.
--
-- KEYS[1] stalled
-- KEYS[2] wait
-- KEYS[3] active
-- KEYS[4] stalled check
-- KEYS[5] meta
-- KEYS[6] marker
-- KEYS[7] events
-- KEYS[8] repeat
--
-- ARGV[1] how often a job may stall
-- ARGV[2] the prefix of the queue's keys
-- ARGV[3] timestamp, epoch ms
-- ARGV[4] how far checks that count are apart, in ms
-- ARGV[5] register of queues with pulled jobs

local rcall = redis.call

local function addBaseMarkerIfNeeded(markerKey, isPausedOrMaxed)
  if not isPausedOrMaxed then
    rcall("ZADD", markerKey, 0, "0")
  end  
end
local function isQueuePausedOrMaxed(queueMetaKey, activeKey)
  local queueAttributes = rcall("HMGET", queueMetaKey, "paused", "concurrency")

  if queueAttributes[1] then
    return true
  else
    if queueAttributes[2] then
      local activeCount = rcall("LLEN", activeKey)
      return activeCount >= tonumber(queueAttributes[2])
    end
  end
  return false
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
-- Writes an event of a job and trims the stream to `maxEvents`, unless that is nothing: then the run trims it elsewhere.
-- `group` is false or nothing for a job without one.
--
-- ...: further names and values
local function groupEvent(events, maxEvents, group, event, id, ...)
  local fields = {...}
  if group then
    fields[#fields + 1] = "group"
    fields[#fields + 1] = group
  end
  if maxEvents then
    rcall("XADD", events, "MAXLEN", "~", maxEvents, "*", "event", event, "jobId", id, unpack(fields))
  else
    rcall("XADD", events, "*", "event", event, "jobId", id, unpack(fields))
  end
end

-- The same of a job whose hash names its group, where it has one.
local function jobEvent(prefix, maxEvents, event, id, ...)
  local group = redis.pcall("HGET", prefix .. id, "jobgate:group")
  groupEvent(prefix .. "events", maxEvents, type(group) == "string" and group, event, id, ...)
end
-- How many events a queue keeps, which is the default from then on unless its metadata says otherwise.
local function keepEvents(meta)
  if rcall("HSETNX", meta, "opts.maxLenEvents", "<events kept>") == 1 then return "<events kept>" end
  return rcall("HGET", meta, "opts.maxLenEvents")
end
-- The recorded attempts of a job, if any, and one more. `rest` is what `endedCall` writes. A deferred attempt is
-- repeated under the same number.
local function withAttempt(recorded, startedAt, endedAt, rest)
  if not tonumber(startedAt) then startedAt = endedAt end
  local number, earlier = 1, ""
  if recorded then
    local start = (string.find(recorded, "\n[^\n]*$") or 0) + 1
    local last, code = string.match(recorded, '^%[(%d+),[^,]*,[^,]*,"(%a)"', start)
    number = (tonumber(last) or 0) + (code == "d" and 0 or 1)
    local _, others = string.gsub(recorded, "\n", "")
    if others >= 10 - 1 then recorded = string.sub(recorded, string.find(recorded, "\n", 1, true) + 1) end
    earlier = recorded .. "\n"
  end
  return earlier .. "[" .. number .. "," .. startedAt .. "," .. math.max(0, endedAt - startedAt) .. "," .. rest
end

-- Records an attempt in the hash of its job, unless the job has no running attempt.
local function recordAttempt(jobKey, endedAt, rest)
  local job = rcall("HMGET", jobKey, "processedOn", "jobgate:attempts")
  if job[1] then rcall("HSET", jobKey, "jobgate:attempts", withAttempt(job[2], job[1], endedAt, rest)) end
end

-- The rest of the line of an attempt whose holder lost the job, by the code of its outcome. A call with several jobs is
-- named by the beginning of its token. An attempt of a native client has no token.
local function takenAttempt(prefix, id, code, reason)
  local by, attempt, startedAt, starts = unpack(rcall("HMGET", prefix .. id, "pb", "jobgate:attempt", "processedOn", "ats"))
  local start, token = string.match(attempt or "", "^(%d+):(.*)$")
  local replica = by and cjson.encode(by) or "null"
  local line = '"' .. code .. '",null,' .. replica .. ",null," .. (reason and cjson.encode(reason) or "null")
  if start ~= startedAt or not tonumber(starts) then return line .. "]" end
  local call = string.sub(token, 1, 10)
  local size = rcall("GET", prefix .. "jobgate:call-" .. call)
  local ofCall = size and ',null,"' .. call .. '",' .. size or ",null,null,null"
  return line .. ofCall .. "," .. cjson.encode(token) .. "," .. starts .. "]"
end
-- How many locks one command reads: the number of active jobs that no replica renews has no bound.
local LOCKS_AT_ONCE = 1000

-- Suspects the active jobs without a lock. Returns whether there are any.
local function suspectWithoutLock(stalled, active, prefix)
  local ids, hasAny = rcall("LRANGE", active, 0, -1), false
  for from = 1, #ids, LOCKS_AT_ONCE do
    local locks = {}
    for index = from, math.min(from + LOCKS_AT_ONCE - 1, #ids) do locks[#locks + 1] = prefix .. ids[index] .. ":lock" end
    if rcall("EXISTS", unpack(locks)) < #locks then
      for index, lock in ipairs(locks) do
        if rcall("EXISTS", lock) == 0 then
          rcall("SADD", stalled, ids[from + index - 1])
          hasAny = true
        end
      end
    end
  end
  return hasAny
end

-- Puts the marker back that wakes a replica for jobs. A woken replica takes the marker, and may die before it claims the
-- job. BullMQ's workers therefore claim every few seconds; with this, idle ones here need not.
local function wakeForMissedJobs(prefix)
  local marker, active = prefix .. "marker", prefix .. "active"
  if isQueuePausedOrMaxed(prefix .. "meta", active) then return end
  if rcall("EXISTS", prefix .. "wait", prefix .. "prioritized", prefix .. "jobgate:group-ready") > 0 then
    addBaseMarkerIfNeeded(marker, false)
    return
  end
  local earliest = rcall("ZRANGE", prefix .. "delayed", 0, 0, "WITHSCORES")
  if earliest[2] then rcall("ZADD", marker, tonumber(earliest[2]) / 0x1000, "1") end
end

local stalled, wait, active, check, meta, marker, events, schedulers =
  KEYS[1], KEYS[2], KEYS[3], KEYS[4], KEYS[5], KEYS[6], KEYS[7], KEYS[8]
local mostStalls, prefix, timestamp, apart, pulled = tonumber(ARGV[1]), ARGV[2], ARGV[3], ARGV[4], ARGV[5]

-- Whether the next job of its scheduler follows however often this one stalls.
local function isScheduled(job)
  local scheduler = rcall("HGET", job, "rjk")
  return scheduler and (rcall("EXISTS", schedulers .. ":" .. scheduler) == 1 or rcall("ZSCORE", schedulers, scheduler))
end

local function stallsOnceMore(job)
  local count = redis.pcall("HINCRBY", job, "stc", 1)
  if type(count) ~= "table" then return count end
  rcall("HSET", job, "stc", 1)
  return 1
end

-- BullMQ has a stalled job wait at the head of the list, whatever its priority. One of a group waits where it was taken.
local function recover(id)
  local job = prefix .. id
  -- A job that must fail may stall although no attempt was made.
  if rcall("HEXISTS", job, "defa") == 0 then
    recordAttempt(job, timestamp, takenAttempt(prefix, id, "s"))
  end
  if stallsOnceMore(job) > mostStalls and not isScheduled(job) then
    rcall("HSET", job, "defa", "job stalled more than allowable limit")
  end
  local group = rcall("HGET", job, "jobgate:group")
  if group then
    groupPlaces().leaveGroup(prefix, group, id)
    groupPlaces().waitAgainInGroup(prefix, group, id)
  else
    rcall("RPUSH", wait, id)
  end
  addBaseMarkerIfNeeded(marker, isQueuePausedOrMaxed(meta, active))
  groupEvent(events, nil, group, "waiting", id, "prev", "active")
  groupEvent(events, nil, group, "stalled", id)
end

-- A store without free memory refuses a script that begins with a write that takes some.
rcall("SREM", stalled, "")
if rcall("LLEN", active) == 0 then rcall("SREM", pulled, string.match(prefix, "([^:]+):$")) end
-- What native clients ended or removed is found here.
if isGroupedQueue(prefix) then
  for _, group in ipairs(rcall("ZRANGEBYSCORE", prefix .. "jobgate:group-parked", "+inf", "+inf", "LIMIT", 0, 1000)) do
    groupPlaces().unpark(prefix, group)
  end
end
wakeForMissedJobs(prefix)
if rcall("EXISTS", check) == 1 then return {{}, 0} end
rcall("SET", check, timestamp, "PX", apart)
-- Looking for stalled jobs creates no queue.
if rcall("EXISTS", events) == 1 then rcall("XTRIM", events, "MAXLEN", "~", keepEvents(meta)) end

local recovered = {}
local suspected = {}
for _, id in ipairs(rcall("SMEMBERS", stalled)) do suspected[id] = true end
rcall("DEL", stalled)
-- The latest started comes first, so the one that started before all others ends up at the head.
for _, id in ipairs(next(suspected) and rcall("LRANGE", active, 0, -1) or {}) do
  local isMarker = string.sub(id, 1, 2) == "0:"
  if suspected[id] and (isMarker or rcall("EXISTS", prefix .. id .. ":lock") == 0) then
    if rcall("LREM", active, 1, id) > 0 and not isMarker then
      recover(id)
      recovered[#recovered + 1] = id
    end
  end
end
return {recovered, suspectWithoutLock(stalled, active, prefix) and 1 or 0}
