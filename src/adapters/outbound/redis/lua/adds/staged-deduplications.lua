--- @include "adds/deduplicated-adds"

-- The deduplications of a large add. Most ids are free, or held by a job that stays as it is: for these no command is
-- needed beyond those that they share. The others go through BullMQ's own function, which has to find what was gathered
-- written.
--
-- jobs: as adds/staged-columns returns them
local function deduplicationsOf(place, jobs, count, timestamp)
  local prefix, self, free = place.base, {}, {}
  local ids, deduplicationIds, terms, dues = jobs.ids, jobs.deduplicationIds, jobs.deduplications, jobs.dues

  -- The deduplication of a job, as BullMQ's functions have it.
  local function deduplicationAt(position)
    local deduplication = {id = deduplicationIds[position]}
    for name, value in pairs(terms[position]) do deduplication[name] = value end
    return deduplication
  end

  -- The different ids have slots: of each job that of its id, and of each slot its key and whether a job holds it.
  local slots, slotAt, keys, held = {}, {}, {}, {}
  local before = prefix .. "de:"
  for position = 1, count do
    local id = deduplicationIds[position]
    if id then
      local slot = slots[id]
      if not slot then
        slot = #keys + 1
        slots[id], keys[slot], held[slot] = slot, before .. id, false
      end
      slotAt[position] = slot
    end
  end
  local function isAnyHeld(from, to) return rcall("EXISTS", unpack(keys, from, to)) > 0 end
  for from = 1, #keys, AT_ONCE do
    local to = math.min(from + AT_ONCE - 1, #keys)
    for slot = isAnyHeld(from, to) and from or math.huge, to do
      held[slot] = isAnyHeld(slot, slot)
      if held[slot] then checkHolder(prefix, {id = string.sub(keys[slot], #before + 1)}) end
    end
  end

  local wouldStore, deduplicate = deduplicating(prefix, place.delayed, place.events, timestamp,
    function(key) return not held[slots[string.sub(key, #before + 1)]] end)

  -- Whether a job leaves one that stands for its id as it is, by its terms, which many jobs share.
  local leaving = {}
  local function leavesStanding(deduplication)
    if leaving[deduplication] == nil then
      leaving[deduplication] = not (deduplication["extend"] or deduplication["replace"] or
        deduplication["keepLastIfActive"] or deduplication["reschedule"])
    end
    return leaving[deduplication]
  end

  -- Of each slot the position of the job that would be the first of its free id, false once the other jobs of the id
  -- know of it; and whether a job would stand for the id, if the last one of the id left it as it is.
  local firsts, areStanding = {}, {}
  function self.wouldStore(position, taken, freed)
    local slot = slotAt[position]
    if not slot then return true end
    local first, isLeaving = firsts[slot], leavesStanding(terms[position])
    if first == nil and not held[slot] then
      firsts[slot] = position
      return true
    end
    if isLeaving and areStanding[slot] then return false end
    if first then
      wouldStore(deduplicationAt(first), ids[first], dues[first], taken, freed)
      firsts[slot] = false
    end
    areStanding[slot] = isLeaving
    return wouldStore(deduplicationAt(position), ids[position], dues[position], taken, freed)
  end

  -- Of each slot the job that holds its key and may not be taken for one that is gone; false without one.
  local standings = {}
  local function standingOf(slot)
    if standings[slot] == nil then
      local key = keys[slot]
      local id = rcall("GET", key)
      standings[slot] = id and (rcall("EXISTS", prefix .. id) == 1 or rcall("PTTL", key) ~= -1) and id or false
    end
    return standings[slot]
  end

  -- Writes what was gathered so far.
  function self.write()
    for from = 1, #free, AT_ONCE do
      rcall("MSET", unpack(free, from, math.min(from + AT_ONCE - 1, #free)))
    end
    free = {}
  end

  -- The job that stands for the deduplication id of a job, or nothing when the job itself is to be stored.
  function self.standingFor(position, id, name, source)
    local slot = slotAt[position]
    if not slot then return nil end
    local ofJob = terms[position]
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
    local standing = leavesStanding(ofJob) and standingOf(slot)
    if standing then
      place.event("deduplicated", standing, nil, "deduplicationId", deduplicationIds[position], "deduplicatedJobId", id)
      return standing
    end
    self.write()
    place.write()
    local values = rcall("HMGET", source, "data", "opts")
    local delay = dues[position] and tonumber(dues[position]) - tonumber(timestamp) or 0
    standing = deduplicate(deduplicationAt(position), id, name, values[1], values[2], delay, place.exists,
      place.maxEvents)
    standings = {}
    return standing
  end

  return self
end
