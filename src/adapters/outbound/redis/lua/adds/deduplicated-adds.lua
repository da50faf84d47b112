-- In TypeScript: domain/transitions/deduplication
--- @include "bullmq/deduplicateJob"

-- The deduplications of an add to one queue. Most ids are free, or held by a job that stays as it is: for these no
-- command is needed beyond those that they share. The others go through BullMQ's own function, which has to find what
-- was gathered written.
--
-- place: base, delayed, events, exists (the given ids that exist; a job that is replaced exists no more), and once
-- the add begins maxEvents, event (writes one) and write (writes what was gathered of the jobs)
-- jobs: lists by position: id, due, deduplicationId and deduplication, which has the terms
-- contentOf: returns the name, data and options of the job at a position
local function deduplicationsOf(place, jobs, count, timestamp, contentOf)
  local prefix, self, free = place.base, {}, {}
  local ids, deduplicationIds, terms, dues = jobs.id, jobs.deduplicationId, jobs.deduplication, jobs.due

  -- The deduplication of a job, as BullMQ's functions have it.
  local function deduplicationAt(position)
    local deduplication = {id = deduplicationIds[position]}
    for name, value in pairs(terms[position]) do deduplication[name] = value end
    return deduplication
  end

  -- The different ids have slots: of each job that of its id, and of each slot its key and whether a job holds it.
  local slots, slotAt, keys, held = {}, {}, {}, {}
  for position = 1, count do
    local id = deduplicationIds[position]
    if id then
      local slot = slots[id]
      if not slot then
        slot = #keys + 1
        slots[id], keys[slot], held[slot] = slot, prefix .. "de:" .. id, false
      end
      slotAt[position] = slot
    end
  end
  local function isAnyHeld(from, to) return rcall("EXISTS", unpack(keys, from, to)) > 0 end
  for from = 1, #keys, AT_ONCE do
    local to = math.min(from + AT_ONCE - 1, #keys)
    for slot = isAnyHeld(from, to) and from or math.huge, to do
      held[slot] = isAnyHeld(slot, slot)
      -- Fails when it is held by what is not a job.
      if held[slot] then rcall("HLEN", prefix .. rcall("GET", keys[slot])) end
    end
  end

  -- Of each slot the job that would stand for its id.
  local planned = {}
  local function plannedAt(slot)
    if planned[slot] or not held[slot] then return planned[slot] end
    local id = rcall("GET", keys[slot])
    return id and {id = id, isDelayed = rcall("ZSCORE", place.delayed, id), isGone = rcall("EXISTS", prefix .. id) == 0,
      isEndless = rcall("PTTL", keys[slot]) == -1}
  end

  -- Whether a job would be stored, if those before it were as they would be: that frees the id of one that it replaces.
  function self.wouldStore(position, taken, freed)
    local slot, ofJob = slotAt[position], terms[position]
    if not slot then return true end
    local standing = plannedAt(slot)
    local isReplaced = standing and ofJob["replace"] and standing.isDelayed
    if isReplaced then taken[standing.id], freed[standing.id] = nil, true end
    if not standing or isReplaced or standing.isGone and standing.isEndless then
      planned[slot] = {id = ids[position] or "", isDelayed = dues[position]}
      return true
    end
    local isExtended = ofJob["extend"] and not ofJob["replace"] and (ofJob["ttl"] or 0) > 0
    if isExtended and ofJob["keepLastIfActive"] then standing.isEndless = true end
    planned[slot] = standing
    return false
  end

  -- Of each slot the job that holds its key and may not be taken for one that is gone; false without one.
  local standings = {}
  local function standingOf(slot)
    if standings[slot] == nil then
      local id = rcall("GET", keys[slot])
      standings[slot] = id and (rcall("EXISTS", prefix .. id) == 1 or rcall("PTTL", keys[slot]) ~= -1) and id or false
    end
    return standings[slot]
  end

  -- Writes what was gathered of ids so far.
  function self.write()
    for from = 1, #free, AT_ONCE do
      rcall("MSET", unpack(free, from, math.min(from + AT_ONCE - 1, #free)))
    end
    free = {}
  end

  local function deduplicated(position, id, slot)
    self.write()
    place.write()
    local name, data, options = contentOf(position)
    local delay = dues[position] and dues[position] - timestamp or 0
    local before = rcall("GET", keys[slot])
    local standing = deduplicateJob(deduplicationAt(position), id, place.delayed, keys[slot], place.events,
      place.maxEvents, prefix, name, data, {delay = delay, text = options}, nil, nil, nil, nil, timestamp)
    if before and place.exists[before] and rcall("EXISTS", prefix .. before) == 0 then place.exists[before] = nil end
    standings = {}
    return standing
  end

  -- The job that stands for the deduplication id of a job, or nothing when the job itself is to be stored.
  function self.standingFor(position, id)
    local slot, ofJob = slotAt[position], terms[position]
    if not slot then return nil end
    if not held[slot] then
      local key, ttl = keys[slot], ofJob["ttl"] or 0
      held[slot], standings[slot] = true, id
      if ttl > 0 and not ofJob["keepLastIfActive"] then
        rcall("SET", key, id, "PX", ttl)
      else
        local size = #free
        free[size + 1], free[size + 2] = key, id
      end
      return nil
    end
    local isLeft = not (ofJob["extend"] or ofJob["replace"] or ofJob["keepLastIfActive"] or ofJob["reschedule"])
    local standing = isLeft and standingOf(slot)
    if not standing then return deduplicated(position, id, slot) end
    place.event("deduplicated", standing, nil, "deduplicationId", deduplicationIds[position], "deduplicatedJobId", id)
    return standing
  end

  return self
end
