--- @include "rules/group-room"

-- Notes of each queue how many jobs it gets, how many of them would wait, and how many events are to come at the least.
-- Returns why no job of the add is stored, as what the script returns: too many jobs would wait, or too many of a
-- group; and nothing when there is room for all of them. Part of steps/add-staged, whose variables it uses.
local function refusalOf()
  local ids, groups, given, indexes = jobs.ids, jobs.groups, jobs.given, jobs.queues
  local dues, areParents = jobs.dues, jobs.areParents
  local areIdsShared, anyGroup = header.isAnyGiven and not header.isFlow, false
  for position = 1, groups[1] ~= nil and count or 0 do
    local group = groups[position]
    if group then
      places[indexes[position]].noteGroup(group)
      anyGroup = true
    end
  end
  local addTo, ofQueue, toWait, toCome = {}, {}, {}, {}
  for index, place in ipairs(places) do
    place.knowGroups()
    addTo[index] = anyGroup and roomOfGroups(place.base, queues[index][3] or nil, place.mayWait)
    ofQueue[index], toWait[index], toCome[index] = 0, 0, 0
  end

  local taken, freed, full = {}, {}, nil
  for position = 1, count do
    local index, id, isTaken, exists = indexes[position], ids[position], false, false
    ofQueue[index] = ofQueue[index] + 1
    if areIdsShared and given[position] then
      exists = places[index].exists[id]
      isTaken = exists and not freed[id] or taken[id]
    end
    local isStored = not isTaken
    if isStored and deduplications then isStored = deduplications.wouldStore(position, taken, freed) end
    if isStored and areIdsShared and given[position] then taken[id] = true end
    toCome[index] = toCome[index] + (isStored and 2 or 1)
    if not dues[position] and not areParents[position] then
      if isStored then toWait[index] = toWait[index] + 1 end
      local group = addTo[index] and groups[position]
      if group and not exists and not full then
        local waiting = addTo[index](group)
        full = waiting and {"group", position - 1, waiting}
      end
    end
  end
  for index, place in ipairs(places) do
    place.jobs, place.toCome = ofQueue[index], toCome[index]
    local most = queues[index][2]
    if most and toWait[index] > 0 and place.waiting() + toWait[index] > most then return {"full", most} end
  end
  return full
end
