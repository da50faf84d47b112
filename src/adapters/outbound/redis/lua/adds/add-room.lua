--- @include "adds/queue-room"
--- @include "groups/group-room"

-- Finds before anything is written whether there is room for the jobs of an add in one of its queues. Jobs may stand
-- for others, which then do not need any.
--
-- place: base, exists (the given ids that exist), maxWaiting and maxOfGroup (nothing for any number), and mayWait
-- (whether a job of a group may wait, where that is known)
-- jobs: lists by position
-- wouldStore: whether a job with a deduplication id would be stored, where jobs have such ids
local function roomIn(place, jobs, wouldStore)
  local self, taken, freed = {toWait = 0, toCome = 0, full = {}}, {}, {}
  local exists, addTo, full = place.exists, nil, self.full

  -- Counts a job, each after those before it: how many of them would wait, and how many events are to come at the
  -- least.
  function self.count(position)
    local id, group = jobs.given[position] and jobs.id[position], jobs.group[position]
    local isKnown = id and exists[id]
    local isStored = not id or not taken[id] and (freed[id] or not isKnown)
    if isStored and wouldStore then isStored = wouldStore(position, taken, freed) end
    if isStored and id then taken[id] = true end
    self.toCome = self.toCome + (isStored and 2 or 1)
    if jobs.due[position] or jobs.isParent[position] then return end
    if isStored then self.toWait = self.toWait + 1 end
    if not group or isKnown then return end
    if addTo == nil then addTo = roomOfGroups(place.base, place.maxOfGroup, place.mayWait) or false end
    local waiting = addTo and addTo(group)
    if waiting then full[#full + 1] = {position - 1, waiting} end
  end

  -- How many of the jobs are too many to wait in the queue.
  function self.excess() return tooManyIn(place.base, place.maxWaiting, self.toWait) end

  return self
end
