--- @include "bullmq/addDelayMarkerIfNeeded"
--- @include "bullmq/getDelayedScore"
--- @include "rules/create-queue"
--- @include "rules/expiring-jobs"
--- @include "rules/group-newcomers"
--- @include "rules/in-pieces"
--- @include "rules/priority-score"
--- @include "rules/staged-events"

-- Where the jobs of a large add or flow go in one queue. What they write to the same key is gathered and written
-- together: a command for each of thousands of jobs would hold up the store. A key of another type than is expected
-- fails here, before anything is written.
local function placesIn(name, prefix, timestamp)
  local base = prefix .. ":" .. name .. ":"
  local wait, active, prioritized, delayed, events = base .. "wait", base .. "active", base .. "prioritized",
    base .. "delayed", base .. "events"
  local meta, marker, priorityCounter, expiring = base .. "meta", base .. "marker", base .. "pc", base .. EXPIRING
  local self = {name = name, base = base, delayed = delayed, events = events, exists = {}, jobs = 0, toWait = 0,
    toCome = 0}

  local known = rcall("HMGET", meta, "opts.maxLenEvents", "paused", "concurrency", LISTED, GROUPED)
  local isStartable = not known[2] and not (known[3] and rcall("LLEN", active) >= tonumber(known[3]))
  rcall("LLEN", wait)
  rcall("LLEN", active)
  rcall("XLEN", events)
  for _, set in ipairs({prioritized, delayed, marker, expiring, base .. "waiting-children"}) do rcall("ZCARD", set) end
  for _, counter in ipairs({priorityCounter, base .. "id"}) do
    if not tonumber(rcall("GET", counter) or 0) then
      return nil, redis.error_reply("WRONGTYPE " .. counter .. " is not a number")
    end
  end
  local newcomers = newcomersIn(base, meta, wait, prioritized, known[5])
  self.noteGroup, self.knowGroups, self.mayWait = newcomers.note, newcomers.know, newcomers.mayWait

  -- Of each key what is written to it, gathered.
  local ahead, behind, byPriority, due, toExpire, ofParents = {}, {}, {}, {}, {}, {}
  local priorities, latestDue, lastScores, anyWaiting, anyDelayed, firstExpiry

  -- How many jobs wait.
  function self.waiting()
    return rcall("LLEN", wait) + rcall("ZCARD", prioritized) + rcall("ZCARD", base .. GROUP_WAITING)
  end

  -- The first write: a store without free memory refuses it. `lastOrder` is the last place of a job in its group.
  function self.begin(registry, lastOrder)
    self.number = rcall("INCRBY", base .. "id", self.jobs) - self.jobs
    self.maxEvents = known[4] and known[1] or createQueue(registry, meta)
    self.event = stagedEvents(events, self.maxEvents, self.toCome)
    newcomers.begin(lastOrder)
  end

  local function scoreOf(delay)
    local dueAt = tonumber(timestamp) + delay
    latestDue = latestDue or tonumber(rcall("ZREVRANGE", delayed, 0, 0, "WITHSCORES")[2] or 0)
    lastScores = lastScores or {}
    local last, score = lastScores[dueAt]
    if last then score = math.min(last + 1, (dueAt + 1) * 0x1000 - 1)
    elseif dueAt * 0x1000 > latestDue then score = dueAt * 0x1000
    else score = getDelayedScore(delayed, timestamp, delay) end
    lastScores[dueAt] = score
    return score, dueAt
  end

  -- Has a new job go where its terms say. `order` is its place in its group.
  function self.place(id, terms, group, order)
    local event = self.event
    if terms.ttl > 0 then
      local expires = math.min(timestamp + terms.ttl, LARGEST_TIME)
      toExpire[#toExpire + 1], toExpire[#toExpire + 2] = string.format("%.0f", expires), id
      firstExpiry = math.min(expires, firstExpiry or expires)
    end
    if terms.isParent then
      ofParents[#ofParents + 1], ofParents[#ofParents + 2] = timestamp, id
      event("waiting-children", id, group)
      return
    end
    if terms.delay > 0 then
      local score, dueAt = scoreOf(terms.delay)
      due[#due + 1], due[#due + 2] = score, id
      event("delayed", id, group, "delay", string.format("%.0f", dueAt))
      anyDelayed = true
      return
    end
    if group then
      newcomers.wait(group, order, id)
    else
      newcomers.waitUngrouped()
      if terms.priority > 0 then
        priorities = (priorities or tonumber(rcall("GET", priorityCounter) or 0)) + 1
        byPriority[#byPriority + 1], byPriority[#byPriority + 2] = scoreOfPriority(terms.priority, priorities), id
      elseif terms.isLifo then ahead[#ahead + 1] = id
      else behind[#behind + 1] = id end
    end
    event("waiting", id, group)
    anyWaiting = true
  end

  -- Writes what was gathered so far.
  function self.write()
    if priorities then rcall("SET", priorityCounter, string.format("%.0f", priorities)) end
    inPieces("ZADD", prioritized, byPriority)
    inPieces("RPUSH", wait, ahead)
    inPieces("LPUSH", wait, behind)
    inPieces("ZADD", delayed, due)
    inPieces("ZADD", expiring, toExpire)
    inPieces("ZADD", base .. "waiting-children", ofParents)
    newcomers.write()
    ahead, behind, byPriority, due, toExpire, ofParents = {}, {}, {}, {}, {}, {}
    priorities, latestDue, lastScores = nil, nil, nil
  end

  -- The last write of the run.
  function self.finish(expiringQueues)
    self.write()
    rcall("XTRIM", events, "MAXLEN", "~", self.maxEvents)
    if firstExpiry then listExpiring(expiringQueues, name, firstExpiry) end
    if anyWaiting and isStartable then rcall("ZADD", marker, 0, "0") end
    if anyDelayed then addDelayMarkerIfNeeded(marker, delayed) end
  end

  return self
end
