--- @include "bullmq/addDelayMarkerIfNeeded"
--- @include "adds/created-queue"
--- @include "adds/expiring-jobs"
--- @include "groups/group-newcomers"
--- @include "reading/in-pieces"
--- @include "adds/priority-score"
--- @include "adds/staged-events"

-- Where the jobs of a large add or flow go in one queue. What they write to the same key is gathered and written
-- together: a command for each of thousands of jobs would hold up the store. A key of another type than is expected
-- fails here, before anything is written.
--
-- jobs: as adds/staged-columns returns them
local function placesIn(name, prefix, timestamp, jobs)
  local base = prefix .. ":" .. name .. ":"
  local wait, active, prioritized, delayed, events = base .. "wait", base .. "active", base .. "prioritized",
    base .. "delayed", base .. "events"
  local meta, marker, priorityCounter, expiring = base .. "meta", base .. "marker", base .. "pc", base .. EXPIRING
  local self = {name = name, base = base, delayed = delayed, events = events, exists = {}}

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
  local priority, anyWaiting, anyDelayed, latestExpiry, firstExpiry

  -- How many jobs wait.
  function self.waiting()
    return rcall("LLEN", wait) + rcall("ZCARD", prioritized) + rcall("ZCARD", base .. GROUP_WAITING)
  end

  -- The first write: a store without free memory refuses it. `lastOrder` is the last place of a job in its group.
  function self.begin(registry, lastOrder, newNumbers, hasGroups)
    rcall("INCRBY", base .. "id", newNumbers)
    self.maxEvents = known[4] and known[1] or createQueue(registry, meta)
    self.event, self.reportStored, self.skipEvents = stagedEvents(events, self.maxEvents, self.toCome)
    newcomers.begin(lastOrder, hasGroups)
  end

  -- Has all the jobs of the queue join at once, before they are written: `facts` is what is known of them, and `first`
  -- the argument from which on the positions of others count.
  function self.joinTogether(facts, first)
    newcomers.joinTogether(facts, first + facts.fields[1], first + facts.fields[2])
    anyWaiting, anyDelayed, firstExpiry = facts.toWait > 0, facts.isAnyDelayed, facts.firstExpiry
  end

  -- Has the arguments of a command be scores where they are priorities: every other one, beginning with the first.
  function self.scorePriorities(first, last)
    local count = tonumber(rcall("GET", priorityCounter) or 0)
    for index = first, last, 2 do
      count = count + 1
      ARGV[index] = scoreOfPriority(tonumber(ARGV[index]), count)
    end
    rcall("SET", priorityCounter, string.format("%.0f", count))
  end

  -- Adds the job at a position.
  function self.add(position, id)
    local reportStored, group, expires, name = self.reportStored, jobs.groups[position], jobs.expirations[position],
      jobs.names[position] or ""
    if group then newcomers.join() end
    if expires then
      toExpire[#toExpire + 1], toExpire[#toExpire + 2] = expires, id
      if expires ~= latestExpiry then
        firstExpiry, latestExpiry = math.min(tonumber(expires), firstExpiry or math.huge), expires
      end
    end
    if jobs.areParents[position] then
      ofParents[#ofParents + 1], ofParents[#ofParents + 2] = timestamp, id
      reportStored(id, group, name, "waiting-children")
      return
    end
    if jobs.dues[position] then
      local size = #due
      due[size + 1], due[size + 2] = jobs.scores[position], id
      reportStored(id, group, name, "delayed", "delay", jobs.dues[position])
      anyDelayed = true
      return
    end
    if group then
      newcomers.wait(group, jobs.members[position])
    else
      newcomers.waitUngrouped()
      if jobs.priorities[position] then
        local size = #byPriority
        priority = (priority or tonumber(rcall("GET", priorityCounter) or 0)) + 1
        byPriority[size + 1], byPriority[size + 2] = scoreOfPriority(jobs.priorities[position], priority), id
      elseif jobs.lifo[position] then ahead[#ahead + 1] = id
      else behind[#behind + 1] = id end
    end
    reportStored(id, group, name, "waiting")
    anyWaiting = true
  end

  -- Writes what was gathered so far.
  function self.write()
    if priority then rcall("SET", priorityCounter, string.format("%.0f", priority)) end
    inPieces("ZADD", prioritized, byPriority)
    inPieces("RPUSH", wait, ahead)
    inPieces("LPUSH", wait, behind)
    inPieces("ZADD", delayed, due)
    inPieces("ZADD", expiring, toExpire)
    inPieces("ZADD", base .. "waiting-children", ofParents)
    newcomers.write()
    ahead, behind, byPriority, due, toExpire, ofParents = {}, {}, {}, {}, {}, {}
    priority = nil
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
