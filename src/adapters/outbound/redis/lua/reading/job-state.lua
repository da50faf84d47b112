--- @include "adds/staged-number"

-- Returns a function that returns the state of a job of one queue, given its id and two of its times; nothing for what
-- is staged and no job yet. A job that is nowhere else waits, since the waiting list can only be searched from end to
-- end. Which other places exist is asked once, so no job may move into a new one between two calls.
local function statesIn(prefix)
  local isElsewhere, isAnyStaged
  local function isIn(place, id) return rcall("ZSCORE", prefix .. place, id) and true end
  return function(id, processedOn, finishedOn)
    if finishedOn and isIn("completed", id) then return "completed" end
    if finishedOn and isIn("failed", id) then return "failed" end
    if processedOn and rcall("LPOS", prefix .. "active", id) then return "active" end
    if isElsewhere == nil then
      isElsewhere = rcall("EXISTS", prefix .. "delayed", prefix .. "prioritized", prefix .. "waiting-children",
        prefix .. STAGED_NUMBERS) > 0
    end
    if not isElsewhere then return "waiting" end
    for _, place in ipairs({"delayed", "prioritized", "waiting-children"}) do
      if isIn(place, id) then return place end
    end
    if isAnyStaged == nil then isAnyStaged = rcall("EXISTS", prefix .. STAGED_NUMBERS) == 1 end
    if isAnyStaged and isStagedNumber(prefix, id) then return nil end
    return "waiting"
  end
end
