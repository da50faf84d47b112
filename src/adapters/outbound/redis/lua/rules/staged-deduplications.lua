--- @include "rules/deduplicated-adds"

-- How many keys one command looks for.
local HOLDERS_AT_ONCE = 1000

-- The deduplications of a large add. Most ids are free, or held by a job that stays as it is: for these no command is
-- needed beyond those that they share. The others go through BullMQ's own function, which has to find what was gathered
-- written.
--
-- jobs: as rules/staged-columns returns them
local function deduplicationsOf(place, jobs, count, timestamp)
  local prefix, self, held, standings, free = place.base, {}, {}, {}, {}
  local ids, deduplicationIds, terms, dues = jobs.ids, jobs.deduplicationIds, jobs.deduplications, jobs.dues
  local keys, found, positions = {}, {}, {}

  -- The deduplication of a job, as BullMQ's functions have it.
  local function deduplicationAt(position)
    local deduplication = {id = deduplicationIds[position]}
    for name, value in pairs(terms[position]) do deduplication[name] = value end
    return deduplication
  end

  local function isAnyHeld(from, to) return rcall("EXISTS", unpack(found, from, to)) > 0 end
  local before = prefix .. "de:"
  for position = 1, count do
    local id = deduplicationIds[position]
    if id then
      local key, size = before .. id, #found + 1
      keys[position], found[size], positions[size] = key, key, position
    end
  end
  for from = 1, #found, HOLDERS_AT_ONCE do
    local to = math.min(from + HOLDERS_AT_ONCE - 1, #found)
    for index = isAnyHeld(from, to) and from or math.huge, to do
      local key = found[index]
      if held[key] == nil then
        held[key] = isAnyHeld(index, index)
        if held[key] then checkHolder(prefix, deduplicationAt(positions[index])) end
      end
    end
  end

  local wouldStore, deduplicate = deduplicating(prefix, place.delayed, place.events, timestamp,
    function(key) return not held[key] end)
  -- The positions of the jobs that would be the first of their free ids; false once the others know of them.
  local firsts = {}
  function self.wouldStore(position, taken, freed)
    local key = keys[position]
    if not key then return true end
    local first = firsts[key]
    if first == nil and not held[key] then
      firsts[key] = position
      return true
    end
    if first then
      wouldStore(deduplicationAt(first), ids[first], dues[first], taken, freed)
      firsts[key] = false
    end
    return wouldStore(deduplicationAt(position), ids[position], dues[position], taken, freed)
  end

  -- Whether such a job leaves one that stands for its id as it is.
  local function leavesStanding(deduplication)
    return not (deduplication["extend"] or deduplication["replace"] or deduplication["keepLastIfActive"] or
      deduplication["reschedule"])
  end

  -- The job that holds the key and may not be taken for one that is gone.
  local function standingOf(key)
    if standings[key] == nil then
      local id = rcall("GET", key)
      standings[key] = id and (rcall("EXISTS", prefix .. id) == 1 or rcall("PTTL", key) ~= -1) and id or false
    end
    return standings[key]
  end

  -- Writes what was gathered so far.
  function self.write()
    for from = 1, #free, HOLDERS_AT_ONCE do
      rcall("MSET", unpack(free, from, math.min(from + HOLDERS_AT_ONCE - 1, #free)))
    end
    free = {}
  end

  -- The job that stands for the deduplication id of a job, or nothing when the job itself is to be stored.
  function self.standingFor(position, id, name, source)
    local key = keys[position]
    if not key then return nil end
    local ofJob = terms[position]
    if not held[key] then
      local ttl = ofJob["ttl"] or 0
      held[key], standings[key] = true, id
      if ttl > 0 and not ofJob["keepLastIfActive"] then
        rcall("SET", key, id, "PX", ttl)
      else
        local size = #free
        free[size + 1], free[size + 2] = key, id
      end
      return nil
    end
    local standing = leavesStanding(ofJob) and standingOf(key)
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
