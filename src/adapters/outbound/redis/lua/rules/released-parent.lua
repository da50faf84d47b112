--- @include "bullmq/addBaseMarkerIfNeeded"
--- @include "bullmq/addJobInTargetList"
--- @include "bullmq/destructureJobKey"
--- @include "bullmq/isQueuePausedOrMaxed"
--- @include "bullmq/removeJobKeys"
--- @include "rules/callers-time"
--- @include "rules/group-places"
--- @include "rules/job-event"
--- @include "rules/priority-score"

-- Starts a parent that waits for no child any more. BullMQ has it wait at the head of the list in any case, and without
-- an event; here it is delayed or has its priority as its options say, as after its last child has ended.
local function startReleasedParent(prefix, id)
  local options = rcall("HMGET", prefix .. id, "priority", "delay", GROUP)
  local priority, delay = tonumber(options[1]) or 0, tonumber(options[2]) or 0
  local events, marker = prefix .. "events", prefix .. "marker"
  if delay > 0 then
    local delayed, dueAt = prefix .. "delayed", tonumber(callersTime) + delay
    rcall("ZADD", delayed, dueAt * 0x1000, id)
    rcall("ZADD", marker, rcall("ZRANGE", delayed, 0, 0, "WITHSCORES")[2] / 0x1000, "1")
    groupEvent(events, nil, options[3], "delayed", id, "delay", string.format("%.0f", dueAt))
    return
  end
  local isPausedOrMaxed = isQueuePausedOrMaxed(prefix .. "meta", prefix .. "active")
  if options[3] then
    groupPlaces().waitInGroup(prefix, options[3], id, priority, true)
    rcall("ZADD", marker, 0, "0")
  elseif priority > 0 then
    rcall("ZADD", prefix .. "prioritized", getPriorityScore(priority, prefix .. "pc"), id)
    addBaseMarkerIfNeeded(marker, isPausedOrMaxed)
  else
    addJobInTargetList(prefix .. "wait", marker, "RPUSH", isPausedOrMaxed, id)
  end
  groupEvent(events, nil, options[3], "waiting", id, "prev", "waiting-children")
end

-- Takes a job from the children that its parent waits for. A parent that waits for no other one starts or, where all
-- the family is removed (`hard`) and it is of the same queue, is removed as well. Returns whether the parent waited
-- for the job. BullMQ's functions call it by this name.
local function removeParentDependencyKey(jobKey, hard, parentKey, baseKey, deduplicationId)
  if not parentKey then
    local parent = rcall("HMGET", jobKey, "parentKey", "deid")
    parentKey, deduplicationId = parent[1], parent[2]
    if type(parentKey) ~= "string" or parentKey == "" or rcall("EXISTS", parentKey) == 0 then return false end
  end
  local dependencies = parentKey .. ":dependencies"
  if rcall("SREM", dependencies, jobKey) == 0 then return false end
  if rcall("SCARD", dependencies) > 0 then return true end
  local id = getJobIdFromKey(parentKey)
  local prefix = getJobKeyPrefix(parentKey, id)
  if rcall("ZREM", prefix .. "waiting-children", id) == 0 then return true end
  if hard and prefix == baseKey then
    removeParentDependencyKey(parentKey, hard, nil, baseKey, nil)
    removeJobKeys(parentKey)
    if deduplicationId then rcall("DEL", prefix .. "de:" .. deduplicationId) end
  else
    startReleasedParent(prefix, id)
  end
  return true
end
