--- @include "bullmq/addDelayMarkerIfNeeded"
--- @include "adds/add-events"
--- @include "adds/created-queue"
--- @include "adds/expiring-jobs"
--- @include "groups/group-newcomers"
--- @include "reading/in-pieces"
--- @include "adds/priority-score"

-- Where the jobs of a large add or flow go in one queue. What they write to the same key is written together: a command
-- for each of thousands of jobs would hold up the store. A key of another type than is expected fails here, before
-- anything is written.
--
-- facts: name of the queue, and what is known of its jobs
local function placesIn(facts, prefix)
  local base = prefix .. ":" .. facts.name .. ":"
  local wait, active, prioritized, delayed, events = base .. "wait", base .. "active", base .. "prioritized",
    base .. "delayed", base .. "events"
  local meta, marker, priorityCounter, expiring = base .. "meta", base .. "marker", base .. "pc", base .. EXPIRING
  local self = {base = base, delayed = delayed, events = events, exists = {}, maxWaiting = facts.maxWaiting,
    maxOfGroup = facts.maxOfGroup}

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
  local newcomers = newcomersIn(base, meta, wait, prioritized, known[5], facts)
  self.mayWait, self.join = newcomers.mayWait, newcomers.join

  -- The keys that were written to.
  local written = {}

  -- The first write: a store without free memory refuses it. At least `toCome` events are to come.
  function self.begin(registry, newNumbers, toCome)
    rcall("INCRBY", base .. "id", newNumbers)
    self.maxEvents = known[4] and known[1] or createQueue(registry, meta)
    if facts.hasCosts then rcall("HSET", meta, COSTED, "1") end
    self.event, self.eventsOfAdded, self.skipEvents = addEvents(events, self.maxEvents, toCome)
    newcomers.begin()
  end

  -- Has the values of a command be scores where they are priorities: every other one, beginning with the first.
  local function scorePriorities(values, first, last)
    local count = tonumber(rcall("GET", priorityCounter) or 0)
    for index = first, last, 2 do
      count = count + 1
      values[index] = scoreOfPriority(tonumber(values[index]), count)
    end
    rcall("SET", priorityCounter, string.format("%.0f", count))
  end

  -- Writes values of jobs to a key.
  function self.put(command, key, values, first, last)
    if last < first then return end
    if key == "prioritized" then scorePriorities(values, first, last) end
    inPieces(command, base .. key, values, first, last)
    written[key] = true
  end

  -- The last write of the run.
  function self.finish()
    rcall("XTRIM", events, "MAXLEN", "~", self.maxEvents)
    if written[EXPIRING] then listExpiring(base) end
    if (written.wait or written.prioritized or written[GROUP_WAITING]) and isStartable then
      rcall("ZADD", marker, 0, "0")
    end
    if written.delayed then addDelayMarkerIfNeeded(marker, delayed) end
  end

  return self
end
