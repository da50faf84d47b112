--- @include "bullmq/destructureJobKey"
--- @include "bullmq/moveParentToWait"
--- @include "bullmq/removeJobKeys"
--- @include "families/callers-time"

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
    moveParentToWait(string.sub(prefix, 1, -2), parentKey, id, callersTime)
  end
  return true
end
