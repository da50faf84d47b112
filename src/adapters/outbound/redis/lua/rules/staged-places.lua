--- @include "bullmq/addDelayMarkerIfNeeded"
--- @include "rules/create-queue"
--- @include "rules/expiring-jobs"
--- @include "rules/group-newcomers"
--- @include "rules/in-pieces"
--- @include "rules/priority-score"
--- @include "rules/staged-events"

-- Where the jobs of a large add or flow go in one queue. What they write to the same key is gathered and written
-- together: a command for each of thousands of jobs would hold up the store. A key of another type than is expected
-- fails here, before anything is written.
--
-- jobs: as rules/staged-columns returns them
local function placesIn(name, prefix, timestamp, jobs)
  local base = prefix .. ":" .. name .. ":"
  local wait, active, prioritized, delayed, events = base .. "wait", base .. "active", base .. "prioritized",
    base .. "delayed", base .. "events"
  local meta, marker, priorityCounter, expiring = base .. "meta", base .. "marker", base .. "pc", base .. EXPIRING
  local self = {name = name, base = base, delayed = delayed, events = events, exists = {}}
  local priorities, lifo, areParents, expirations = jobs.priorities, jobs.lifo, jobs.areParents, jobs.expirations
  local dues, scores, groups, members = jobs.dues, jobs.scores, jobs.groups, jobs.members

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
  function self.begin(registry, lastOrder, newNumbers)
    rcall("INCRBY", base .. "id", newNumbers)
    self.maxEvents = known[4] and known[1] or createQueue(registry, meta)
    self.event = stagedEvents(events, self.maxEvents, self.toCome)
    newcomers.begin(lastOrder)
  end

  -- Has the new job at a position go where it belongs.
  function self.place(position, id)
    local event, group, expires = self.event, groups[position], expirations[position]
    if group then newcomers.join() end
    if expires then
      toExpire[#toExpire + 1], toExpire[#toExpire + 2] = expires, id
      if expires ~= latestExpiry then
        firstExpiry, latestExpiry = math.min(tonumber(expires), firstExpiry or math.huge), expires
      end
    end
    if areParents[position] then
      ofParents[#ofParents + 1], ofParents[#ofParents + 2] = timestamp, id
      event("waiting-children", id, group)
      return
    end
    if dues[position] then
      local size = #due
      due[size + 1], due[size + 2] = scores[position], id
      event("delayed", id, group, "delay", dues[position])
      anyDelayed = true
      return
    end
    if group then
      newcomers.wait(group, members[position])
    else
      newcomers.waitUngrouped()
      if priorities[position] then
        local size = #byPriority
        priority = (priority or tonumber(rcall("GET", priorityCounter) or 0)) + 1
        byPriority[size + 1], byPriority[size + 2] = scoreOfPriority(priorities[position], priority), id
      elseif lifo[position] then ahead[#ahead + 1] = id
      else behind[#behind + 1] = id end
    end
    event("waiting", id, group)
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
