--- @include "adds/deduplicated-adds"

-- Adds the jobs of a large add one by one: an existing one may stand for each. It writes the same values as
-- adds/staged-writes, except those of jobs that are not added. Part of adds/add-staged, whose variables it uses.
--
-- given: the arguments that are keys of jobs with given ids which exist
local function oneByOne(given)
  local self, writes = {}, header.writes
  local function placeOf(position) return places[jobs.queue[position]] end

  -- Of each job the keys of its hash, before it is visible and then.
  local hashAt, keyAt = {}, {}
  local from, to = REST + header.renamed.from[1], REST + header.renamed.to[1]
  for position = 1, count do
    hashAt[position] = placeOf(position).base .. jobs.id[position]
    if jobs.given[position] then
      hashAt[position], keyAt[position] = ARGV[from], ARGV[to]
      placeOf(position).exists[jobs.id[position]] = given[to]
      from, to = from + 1, to + 1
    end
  end

  local function contentOf(position)
    return jobs.name[position] or "", unpack(rcall("HMGET", hashAt[position], "data", "opts"))
  end

  -- The jobs of one place as its deduplications read them: those of others have no deduplication id.
  local function jobsAt(index)
    local own = {}
    for position = 1, count do own[position] = jobs.queue[position] == index and jobs.deduplicationId[position] end
    return setmetatable({deduplicationId = own}, {__index = jobs})
  end

  local deduplications
  if header.isDeduplicating then
    deduplications = {}
    for index, place in ipairs(places) do
      deduplications[index] = deduplicationsOf(place, jobsAt(index), count, timestamp, contentOf)
    end
    function self.wouldStore(position, taken, freed)
      return deduplications[jobs.queue[position]].wouldStore(position, taken, freed)
    end
  end

  -- Of each command its next value, and the values of jobs that are added.
  local nextAt, values = {}, {}
  for number, write in ipairs(writes) do nextAt[number], values[number] = REST + write[4], {} end
  local function take(number, isAdded)
    if not number then return end
    local at, some = nextAt[number], values[number]
    nextAt[number] = at + (writes[number][2] == "ZADD" and 2 or 1)
    for index = isAdded and at or math.huge, nextAt[number] - 1 do some[#some + 1] = ARGV[index] end
  end

  -- Of the jobs that are added to each place, the facts about their groups that groups/group-newcomers needs.
  local newcomers = {}
  local function join(position)
    local group, facts = jobs.group[position], newcomers[jobs.queue[position]]
    facts.hasGroups = facts.hasGroups or group
    if jobs.due[position] then return end
    local fields, isField = facts.fields, facts.isField
    if not group then
      facts.ungroupedAfter = facts.ungroupedAfter or #fields
    elseif not isField[group] then
      fields[#fields + 1], isField[group] = "g" .. group, true
    end
  end

  for index, place in ipairs(places) do
    newcomers[index] = {fields = {}, isField = {}, hasGroups = false}

    -- Writes what was gathered so far.
    function place.write()
      local facts = newcomers[index]
      place.join(facts.fields, 1, #facts.fields, facts.hasGroups, facts.ungroupedAfter)
      for number, write in ipairs(writes) do
        if write[1] == index then
          place.put(write[2], write[3], values[number], 1, #values[number])
          values[number] = {}
        end
      end
      newcomers[index] = {fields = {}, isField = {}, hasGroups = false}
    end
  end

  -- Returns of each job that is not added its position, the id of the job that stands for it, and 1 when that stands
  -- for its deduplication id, else 0; and the hashes of these jobs.
  function self.add(report)
    local existing, left = {}, {}
    for position = 1, count do
      local id, isGiven, place = jobs.id[position], jobs.given[position], placeOf(position)
      local exists, ofPlace = place.exists, deduplications and deduplications[jobs.queue[position]]
      local isThere = isGiven and exists[id]
      local standing = isThere and id or ofPlace and ofPlace.standingFor(position, id)
      if isThere then place.event("duplicated", id) end
      take(jobs.write[position], not standing)
      take(jobs.expiry[position], not standing)
      if standing then
        existing[#existing + 1] = {position - 1, standing, isThere and 0 or 1}
        left[#left + 1] = hashAt[position]
      else
        if isGiven then
          rcall("RENAME", hashAt[position], keyAt[position])
          exists[id] = true
        end
        join(position)
        report(position)
      end
    end
    for index, place in ipairs(places) do
      if deduplications then deduplications[index].write() end
      place.write()
    end
    return existing, left
  end

  return self
end
