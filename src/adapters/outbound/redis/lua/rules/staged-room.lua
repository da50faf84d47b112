--- @include "rules/group-room"

-- Notes of each queue how many jobs it gets, how many of them would wait, and how many events are to come at the least.
-- Returns why no job of the add is stored, as what the script returns: too many jobs would wait, or too many of a
-- group; and nothing when there is room for all of them. Part of steps/add-staged, whose variables it uses.
local function refusalOf()
  local addTo, anyGroup = {}, false
  local ids, groups, terms, given, indexes = jobs.ids, jobs.groups, jobs.terms, jobs.given, jobs.queues
  for position = 1, count do
    local group = groups[position]
    if group then
      places[indexes[position]].noteGroup(group)
      anyGroup = true
    end
  end
  for index, place in ipairs(places) do
    place.knowGroups()
    addTo[index] = anyGroup and roomOfGroups(place.base, queues[index][3] or nil, place.mayWait)
  end

  local taken, freed, full = {}, {}, nil
  for position = 1, count do
    local index, id, ofJob, isTaken = indexes[position], ids[position], terms[position], false
    local place = places[index]
    local exists = id and place.exists[id]
    place.jobs = place.jobs + 1
    if given[position] and not header.isFlow then
      isTaken = exists and not freed[id] or taken[id]
    end
    local isStored = not isTaken
    if isStored and deduplications then
      isStored = deduplications.wouldStore(position, id or "", ofJob.delay > 0, taken, freed)
    end
    if isStored and given[position] and not header.isFlow then taken[id] = true end
    place.toCome = place.toCome + ((isTaken or jobs.deduplications[position]) and 1 or 2)
    if ofJob.delay == 0 and not ofJob.isParent then
      if isStored then place.toWait = place.toWait + 1 end
      local group = addTo[index] and groups[position]
      if group and not exists and not full then
        local waiting = addTo[index](group)
        full = waiting and {"group", position - 1, waiting}
      end
    end
  end
  for index, place in ipairs(places) do
    local most = queues[index][2]
    if most and place.toWait > 0 and place.waiting() + place.toWait > most then return {"full", most} end
  end
  return full
end
