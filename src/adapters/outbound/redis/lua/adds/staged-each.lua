--- @include "adds/deduplicated-adds"

-- Adds the jobs of a large add one by one: an existing one may stand for each. It writes the same values as
-- adds/staged-writes, except those of jobs that are not added. Part of adds/add-staged, whose variables it uses.
--
-- given: the arguments that are keys of jobs with given ids which exist
local function oneByOne(given)
  local self, place, writes = {}, places[1], header.writes

  -- Of each job the keys of its hash, before it is visible and then.
  local hashAt, keyAt = {}, {}
  local from, to = REST + header.renamed.from[1], REST + header.renamed.to[1]
  for position = 1, count do
    hashAt[position] = place.base .. jobs.id[position]
    if jobs.given[position] then
      hashAt[position], keyAt[position] = ARGV[from], ARGV[to]
      place.exists[jobs.id[position]] = given[to]
      from, to = from + 1, to + 1
    end
  end

  local deduplications
  if header.isDeduplicating then
    deduplications = deduplicationsOf(place, jobs, count, timestamp, function(position)
      return jobs.name[position] or "", unpack(rcall("HMGET", hashAt[position], "data", "opts"))
    end)
    self.wouldStore = deduplications.wouldStore
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

  -- Of the jobs that are added, the facts about their groups that groups/group-newcomers needs.
  local fields, isField, hasGroups, ungroupedAfter = {}, {}, false, nil
  local function join(position)
    local group = jobs.group[position]
    hasGroups = hasGroups or group
    if jobs.due[position] then return end
    if not group then
      ungroupedAfter = ungroupedAfter or #fields
    elseif not isField[group] then
      fields[#fields + 1], isField[group] = "g" .. group, true
    end
  end

  -- Writes what was gathered so far.
  function place.write()
    place.join(fields, 1, #fields, hasGroups, ungroupedAfter)
    for number, write in ipairs(writes) do
      place.put(write[2], write[3], values[number], 1, #values[number])
      values[number] = {}
    end
    fields, isField, hasGroups, ungroupedAfter = {}, {}, false, nil
  end

  -- Returns of each job that is not added its position, the id of the job that stands for it, and 1 when that stands
  -- for its deduplication id, else 0; and the hashes of these jobs.
  function self.add(report)
    local existing, left, exists = {}, {}, place.exists
    for position = 1, count do
      local id, isGiven = jobs.id[position], jobs.given[position]
      local isThere = isGiven and exists[id]
      local standing = isThere and id or deduplications and deduplications.standingFor(position, id)
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
    if deduplications then deduplications.write() end
    place.write()
    return existing, left
  end

  return self
end
