-- Adds the jobs of a large add or flow one by one: each may stand for one that exists. Part of adds/add-staged, whose
-- variables it uses.
local function addEach()
  local indexes, ids, names, given = jobs.queues, jobs.ids, jobs.names, jobs.given
  for position = 1, count do
    local place, id, isGiven = places[indexes[position]], ids[position], given[position]
    local standing, isDeduplicated, source = nil, 0, nil
    if isGiven then source = hidden .. isGiven
    elseif deduplications then source = place.base .. id end
    if isGiven and place.exists[id] then
      place.event("duplicated", id)
      standing = id
    elseif deduplications then
      standing, isDeduplicated = deduplications.standingFor(position, id, names[position] or "", source), 1
    end
    if standing then
      answers[#answers + 1] = {position - 1, standing, isDeduplicated}
      left[#left + 1] = source
    else
      if isGiven then
        rcall("RENAME", source, keyAt[position])
        place.exists[id] = true
      end
      place.add(position, id)
    end
  end
end
