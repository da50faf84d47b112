--- @include "bullmq/addJobInTargetList"
--- @include "bullmq/addJobWithPriority"
--- @include "bullmq/isQueuePausedOrMaxed"
--- @include "groups/group-places"

-- Has a job wait behind the others of its priority; one without a priority in the list, to which `push` adds it. Wakes
-- a consumer that may take it. Jobs without a group take their turn where groups do.
local function addWaiting(prefix, id, priority, push)
  local group = rcall("HGET", prefix .. id, GROUP)
  if group then
    groupPlaces().waitInGroup(prefix, group, id, priority, push == "RPUSH")
    rcall("ZADD", prefix .. "marker", 0, "0")
    return
  end
  groupPlaces().ungroupedWaits(prefix)
  local marker, isPausedOrMaxed = prefix .. "marker", isQueuePausedOrMaxed(prefix .. "meta", prefix .. "active")
  if priority == 0 then
    addJobInTargetList(prefix .. "wait", marker, push, isPausedOrMaxed, id)
  else
    addJobWithPriority(marker, prefix .. "prioritized", priority, id, prefix .. "pc", isPausedOrMaxed)
  end
end
