-- In TypeScript: domain/transitions/groups/blocking, domain/attempts/turns
--- @include "groups/group-places"
--- @include "groups/group-starts"
--- @include "attempts/costs"
--- @include "attempts/starts"
--- @include "attempts/limiter-window"
--- @include "reading/store-time"

-- Among the starts of groups: those of all together. No group has this id.
local OF_ALL_GROUPS = "\127"

-- What holds for the groups of a queue, as domain/groups/group-settings has it, and why no job of one starts, as
-- domain/attempts/turns has it. What all groups share is read once in a run.
--
-- defaults: as JSON, or nothing; writeRunning: called before the jobs that run are counted, where a run keeps some back
local function groupTerms(prefix, defaults, writeRunning)
  local terms, counts, hasSettings, hasStates, ofAll, areHeld = {}, nil, nil, nil, nil, nil
  local costs = costsOf(prefix)
  terms.costOf = costs.of

  -- Whether no start of the queue ever counted other than 1 in a limiter.
  terms.isPlain = costs.isPlain

  local function termsOfAll()
    return {concurrency = ofAll.concurrency, limiter = ofAll.limiter, maxWaiting = ofAll.maxWaiting,
      ordered = ofAll.ordered or false, weight = 1, hasFlows = ofAll.hasFlows}
  end
  local withoutSettings

  function terms.of(group)
    if not ofAll then
      ofAll = (defaults and defaults ~= "" and cjson.decode(defaults)) or {}
      withoutSettings = termsOfAll()
    end
    if hasSettings == nil then hasSettings = rcall("EXISTS", prefix .. GROUP_SETTINGS) == 1 end
    local text = hasSettings and rcall("HGET", prefix .. GROUP_SETTINGS, group)
    local settings = text and cjson.decode(text)
    if settings and settings.expires and settings.expires <= storeTime() then
      rcall("HDEL", prefix .. GROUP_SETTINGS, group)
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

  -- Counts the jobs of each group that are active, and the calls of cancelled jobs that still end, with when the first
  -- of a group ends at the latest.
  local function countJobs()
    counts = {active = {}, ending = {}, endAt = {}}
    if writeRunning then writeRunning() end
    local ids, running = rcall("LRANGE", prefix .. "active", 0, -1), prefix .. GROUP_RUNNING
    for from = 1, #ids, AT_ONCE do
      local groups = rcall("HMGET", running, unpack(ids, from, math.min(#ids, from + AT_ONCE - 1)))
      for index = 1, #groups do
        local group = groups[index] or ""
        counts.active[group] = (counts.active[group] or 0) + 1
      end
    end
    local calls = rcall("ZRANGEBYSCORE", prefix .. GATE_ENDING, storeTime(), "+inf", "WITHSCORES")
    for at = 1, #calls, 2 do
      local group = rcall("HGET", running, "!" .. calls[at])
      if group then
        counts.ending[group] = (counts.ending[group] or 0) + 1
        counts.endAt[group] = counts.endAt[group] or tonumber(calls[at + 1])
      end
    end
  end

  -- How many jobs of a group are active.
  function terms.active(group)
    if not counts then countJobs() end
    return counts.active[group] or 0
  end

  -- How many jobs of a group count as running: the active ones, and the calls of cancelled jobs that still end.
  local function running(group) return terms.active(group) + (counts.ending[group] or 0) end

  -- When (epoch ms) the first of the calls of cancelled jobs counts no more; infinity without any.
  function terms.callEndsAt(group)
    if not counts then countJobs() end
    return counts.endAt[group] or math.huge
  end

  -- A job of the group starts in this run.
  function terms.noteStart(group)
    if counts then counts.active[group] = (counts.active[group] or 0) + 1 end
  end

  -- The failed job that blocks the group, or nothing.
  local function failedJob(group)
    local id = rcall("HGET", prefix .. GROUP_BLOCKS, "f" .. group)
    if id and not rcall("ZSCORE", prefix .. "failed", id) then
      rcall("HDEL", prefix .. GROUP_BLOCKS, "f" .. group)
      return nil
    end
    return id
  end

  -- The job that is to be tried again before the others of the group, and when, or nothing. One that waits for jobs
  -- that it added has no such time.
  local function retriedJob(group)
    local id = rcall("HGET", prefix .. GROUP_BLOCKS, "h" .. group)
    local score = id and rcall("ZSCORE", prefix .. "delayed", id)
    if id and not score and rcall("ZSCORE", prefix .. "waiting-children", id) then return id end
    if id and not score then rcall("HDEL", prefix .. GROUP_BLOCKS, "h" .. group) end
    if score then return id, math.floor(tonumber(score) / 0x1000) end
  end

  function terms.isPaused(group)
    if hasStates == nil then hasStates = rcall("EXISTS", prefix .. GROUP_STATES) == 1 end
    return hasStates and rcall("HEXISTS", prefix .. GROUP_STATES, "p" .. group) == 1
  end

  -- Until when the group is held, or nothing.
  function terms.heldUntil(group)
    if areHeld == nil then areHeld = rcall("EXISTS", prefix .. GROUP_HELD) == 1 end
    local till = areHeld and tonumber(rcall("ZSCORE", prefix .. GROUP_HELD, group) or "")
    return till and till > storeTime() and till or nil
  end

  -- Why no job of the group starts, of which that one is next, until when where that is known, and because of which
  -- job; or nothing.
  function terms.blockedBy(group, own, next)
    if terms.isPaused(group) then return "paused" end
    local till = terms.heldUntil(group)
    if till then return "held", till end
    if own.ordered == "block" then
      local id = failedJob(group)
      if id then return "failed-job", nil, id end
    end
    if own.ordered then
      -- It holds the group until a claim finds it due by the time of its caller, who may be behind the store.
      local id, dueAt = retriedJob(group)
      if id then return "failed-job", dueAt, id end
    end
    local most = own.ordered and 1 or own.concurrency
    if most and running(group) >= most then return "concurrency" end
    if own.limiter then
      local at = nextStartIn(groupStarts(prefix, group), own.limiter.max, windowOf(own.limiter), storeTime(),
        costs.of(next), terms.isPlain())
      if at then return "limiter", math.ceil(at) end
    end
    return nil
  end

  -- How many starts of that cost the limiter of a group leaves, and when (epoch ms) the first that it counts was made,
  -- if any.
  local function startsLeft(group, limiter, cost)
    local counted, first = countedIn(groupStarts(prefix, group), windowOf(limiter), storeTime(), terms.isPlain())
    if cost == 0 then return math.huge, first end
    return math.max(0, math.floor((limiter.max - counted) / math.min(cost, limiter.max))), first
  end

  -- How many jobs of a group may start, infinity where nothing bounds them, and when (epoch ms) that may change by
  -- itself, or nothing. Jobs that are due by the time of the caller count as waiting. All count as if they cost what
  -- the next one does.
  function terms.room(group, own, timestamp, next)
    local reason, till = terms.blockedBy(group, own, next)
    if reason == "concurrency" then return 0, terms.callEndsAt(group) end
    if reason == "failed-job" then
      if not till or till > timestamp then return 0, till and storeTime() + till - timestamp end
    elseif reason then
      return 0, till
    end
    local most = own.ordered and 1 or own.concurrency
    local room = most and most - running(group) or math.huge
    local endsAt = most and terms.callEndsAt(group)
    if not own.limiter then return room, endsAt end
    local left, first = startsLeft(group, own.limiter, costs.of(next))
    if left >= room or not first then return math.min(left, room), endsAt end
    return left, first + windowOf(own.limiter)
  end

  return terms
end
