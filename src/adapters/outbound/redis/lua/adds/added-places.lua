--- @include "groups/grouped-queue"
--- @include "adds/new-job"
--- @include "adds/priority-score"

-- Where the jobs of an add wait. They are written one by one, but ids that go to the same end of the list go together.
--
-- isGrouped: whether the queue takes turns already
-- jobs: as adds/given-jobs returns them
local function addedPlaces(prefix, wait, prioritized, priorityCounter, isGrouped, jobs)
  local self, pushed, isPushedAhead, hasUngrouped = {}, {}, false, false

  -- Writes what was gathered so far.
  function self.write()
    if #pushed == 0 then return end
    rcall(isPushedAhead and "RPUSH" or "LPUSH", wait, unpack(pushed))
    pushed = {}
  end

  local function push(id, isAhead)
    if isAhead ~= isPushedAhead or #pushed == AT_ONCE then self.write() end
    isPushedAhead = isAhead
    pushed[#pushed + 1] = id
  end

  -- Notes the group of a job that is stored.
  function self.join(job, group, cost)
    if not isGrouped then
      self.write()
      becomeGrouped(prefix, prefix .. "meta", wait, prioritized)
      isGrouped = true
    end
    joinGroup(job, group, cost)
  end

  -- Has a job wait.
  function self.add(position, id, group)
    local priority, isAhead = jobs.priority[position] or 0, jobs.lifo[position] or false
    if group then
      groupPlaces().waitInGroup(prefix, group, id, priority, isAhead and priority == 0)
    elseif priority > 0 then
      rcall("ZADD", prioritized, getPriorityScore(priority, priorityCounter), id)
    else
      push(id, isAhead)
    end
    if group or not isGrouped or hasUngrouped then return end
    groupPlaces().beReady(prefix, "")
    -- While nothing waits, the next job of a group would forget this turn.
    self.write()
    hasUngrouped = true
  end

  return self
end
