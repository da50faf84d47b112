--- @include "groups/group-room"

-- Notes of each queue how many events are to come at the least. Returns why no job of the add is stored, as what the
-- script returns: too many jobs would wait, or too many of a group; and nothing when there is room for all of them.
-- Part of adds/add-staged, whose variables it uses.
local function refusalOf()
  local areGroupsLimited = false
  for index, place in ipairs(places) do
    local isLimited = queues[index][3] or rcall("EXISTS", place.base .. GROUP_SETTINGS) == 1
    areGroupsLimited = areGroupsLimited or queues[index][5].hasGroups and isLimited
  end
  local toWait, toCome, fullGroup = {}, {}, nil

  -- Looks at each job, since it may stand for another one, or there may be no room in its group.
  local function lookAtEach()
    local ids, groups, given, indexes = jobs.ids, jobs.groups, jobs.given, jobs.queues
    local dues, areParents = jobs.dues, jobs.areParents
    local areIdsShared, anyGroup = header.isAnyGiven and not header.allNew, false
    for position = 1, groups[1] ~= nil and header.count or 0 do
      local group = groups[position]
      if group then
        places[indexes[position]].noteGroup(group)
        anyGroup = true
      end
    end
    local addTo = {}
    for index, place in ipairs(places) do
      place.knowGroups()
      addTo[index] = anyGroup and roomOfGroups(place.base, queues[index][3] or nil, place.mayWait)
      toWait[index], toCome[index] = 0, 0
    end

    local taken, freed = {}, {}
    for position = 1, header.count do
      local index, id, isTaken, exists = indexes[position], ids[position], false, false
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
        if group and not exists and not fullGroup then
          local waiting = addTo[index](group)
          fullGroup = waiting and {"group", position - 1, waiting}
        end
      end
    end
  end

  if not header.allNew or areGroupsLimited then
    lookAtEach()
  else
    for index, place in ipairs(places) do
      place.knowGroups()
      toWait[index], toCome[index] = queues[index][5].toWait, 2 * queues[index][5].jobs
    end
  end
  for index, place in ipairs(places) do
    place.toCome = toCome[index]
    local most = queues[index][2]
    if most and toWait[index] > 0 and place.waiting() + toWait[index] > most then return {"full", most} end
  end
  return fullGroup
end
