-- Looks at some groups of a queue. Returns how many jobs started within the window of shares, and for each group its id, how
-- many of its jobs wait and run, since when the first that waits could start (0 when none does), how many of its jobs
-- started, 1 if it is paused, until when it is held (0 when it is not), why no job of it starts, until when and because
-- of which job (0 and empty texts), and its settings as JSON, or an empty text.
--
-- KEYS[1] meta
--
-- ARGV[1] job key prefix
-- ARGV[2] what holds for groups without settings, as JSON; empty when nothing does
-- ARGV[3] how many minutes shares are made of
-- ARGV[4] most groups with waiting jobs to look at, behind the one of ARGV[5]; empty for the groups of ARGV[5…]
-- ARGV[5…] groups

local rcall = redis.call
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

local prefix, defaults, minutes, most = ARGV[1], ARGV[2], tonumber(ARGV[3]), tonumber(ARGV[4])
local waiting = prefix .. "jobgate:group-waiting"
local terms = groupTerms(prefix, defaults)
local isGrouped = rcall("HEXISTS", KEYS[1], "jobgate:groups") == 1
local staged, ofStaged = groupPlaces().stagedJob(prefix)

local names = most and {} or {unpack(ARGV, 5)}
local after = most and ARGV[5]
while most and #names < most do
  local member = rcall("ZRANGEBYLEX", waiting, after == "" and "-" or "[" .. after .. "\1", "+", "LIMIT", 0, 1)[1]
  if not member then break end
  after = string.match(member, "^(.-)%z")
  names[#names + 1] = after
end
if #names == 0 then return {0, {}} end

local total, starts = 0, {}
local minute = math.floor(storeTime() / 60000)
for at = minute - minutes + 1, minute do
  local shares = prefix .. "jobgate:group-shares-" .. string.format("%.0f", at)
  total = total + (tonumber(rcall("HGET", shares, OF_ALL_GROUPS) or "") or 0)
  for index, count in ipairs(rcall("HMGET", shares, unpack(names))) do
    starts[index] = (starts[index] or 0) + (tonumber(count or "") or 0)
  end
end

local function waitingOf(group)
  local count = group == ofStaged and group ~= "" and 1 or 0
  if group ~= "" then return count + rcall("ZLEXCOUNT", waiting, "[" .. group .. "\0", "[" .. group .. "\0:") end
  if ofStaged and ofStaged ~= "" then count = -1 end
  return isGrouped and count + rcall("LLEN", prefix .. "wait") + rcall("ZCARD", prefix .. "prioritized") or 0
end

local function firstOf(group)
  if group == ofStaged then return staged end
  if group == "" then
    return rcall("LINDEX", prefix .. "wait", staged and -2 or -1) or rcall("ZRANGE", prefix .. "prioritized", 0, 0)[1]
  end
  local member = rcall("ZRANGEBYLEX", waiting, "[" .. group .. "\0", "[" .. group .. "\0:", "LIMIT", 0, 1)[1]
  return member and idInGroup(member)
end

local function startableAt(id)
  local job = rcall("HMGET", prefix .. id, "timestamp", "opts")
  local isJson, options = pcall(cjson.decode, job[2] or "null")
  local delay = isJson and type(options) == "table" and tonumber(options.delay) or 0
  return (tonumber(job[1] or "") or 0) + delay
end

local groups = {}
for index, group in ipairs(names) do
  local count = waitingOf(group)
  local first = count > 0 and firstOf(group)
  local isPaused, heldUntil = terms.isPaused(group), terms.heldUntil(group)
  local reason, till, job
  local own = group ~= "" and terms.of(group)
  if count > 0 and own then reason, till, job = terms.blockedBy(group, own) end
  groups[index] = {group, count, isGrouped and terms.running(group) or 0,
    first and string.format("%.0f", startableAt(first)) or "0", starts[index] or 0, isPaused and 1 or 0,
    heldUntil and string.format("%.0f", heldUntil) or "0", reason or "", till and string.format("%.0f", till) or "0",
    job or "", group ~= "" and rcall("HGET", prefix .. "jobgate:group-settings", group) or ""}
end
return {total, groups}
