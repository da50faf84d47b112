--- @include "rules/deduplicated-adds"

-- How many keys one command looks for.
local HOLDERS_AT_ONCE = 1000

-- The deduplications of a large add. Most ids are free, or held by a job that stays as it is: for these no command is
-- needed beyond those that they share. The others go through BullMQ's own function, which has to find what was gathered
-- written.
local function deduplicationsOf(place, given, count, timestamp)
  local prefix, self, held, standings, free = place.base, {}, {}, {}, {}
  local function keyOf(deduplication) return prefix .. "de:" .. deduplication["id"] end

  local function isAnyHeld(keys, from, to) return rcall("EXISTS", unpack(keys, from, to)) > 0 end
  local keys, positions = {}, {}
  for position = 1, count do
    local deduplication = given[position]
    if deduplication then keys[#keys + 1], positions[#positions + 1] = keyOf(deduplication), position end
  end
  for from = 1, #keys, HOLDERS_AT_ONCE do
    local to = math.min(from + HOLDERS_AT_ONCE - 1, #keys)
    for index = isAnyHeld(keys, from, to) and from or math.huge, to do
      if held[keys[index]] == nil then
        held[keys[index]] = isAnyHeld(keys, index, index)
        if held[keys[index]] then checkHolder(prefix, given[positions[index]]) end
      end
    end
  end

  local wouldStore, deduplicate = deduplicating(prefix, place.delayed, place.events, timestamp,
    function(key) return not held[key] end)
  function self.wouldStore(position, ...) return wouldStore(given[position], ...) end

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
  function self.standingFor(position, id, name, source, delay)
    local deduplication = given[position]
    if not deduplication then return nil end
    local key, ttl = keyOf(deduplication), deduplication["ttl"] or 0
    if not held[key] then
      held[key], standings[key] = true, id
      if ttl > 0 and not deduplication["keepLastIfActive"] then rcall("SET", key, id, "PX", ttl)
      else free[#free + 1], free[#free + 2] = key, id end
      return nil
    end
    local standing = leavesStanding(deduplication) and standingOf(key)
    if standing then
      place.event("deduplicated", standing, nil, "deduplicationId", deduplication["id"], "deduplicatedJobId", id)
      return standing
    end
    self.write()
    place.write()
    local values = rcall("HMGET", source, "data", "opts")
    standing = deduplicate(deduplication, id, name, values[1], values[2], delay, place.exists, place.maxEvents)
    standings = {}
    return standing
  end

  return self
end
