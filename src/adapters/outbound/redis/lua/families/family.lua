-- In TypeScript: domain/transitions/family
--- @include "bullmq/destructureJobKey"
--- @include "bullmq/moveChildFromDependenciesIfNeeded"
--- @include "bullmq/removeParentDependencyKey"
--- @include "bullmq/updateParentDepsIfNeeded"
--- @include "reading/decoded"

local function failChild(job, parent, parentJson, value, timestamp)
  local ofParent = parent["queueKey"] .. ":" .. parent["id"]
  if parent["cpof"] and rcall("SISMEMBER", ofParent .. ":dependencies", job) == 1 then
    rcall("HSET", ofParent, LET_GO, job)
  end
  moveChildFromDependenciesIfNeeded(parentJson, job, value, timestamp)
end

-- Lets the parent of a job that ended continue as the options of the job say. A record of a parent that cannot be read
-- counts as none.
local function endChild(job, target, value, parentKey, parentJson, timestamp)
  local parent = decoded(parentJson)
  local isRecord = type(parent["id"]) == "string" and type(parent["queueKey"]) == "string"
  if target == "failed" then
    if isRecord then failChild(job, parent, parentJson, value, timestamp) end
    return
  end
  if not parentKey or not string.find(parentKey, ":", 1, true) then return end
  local id, queueKey
  if isRecord then
    id, queueKey = parent["id"], parent["queueKey"]
  else
    id = getJobIdFromKey(parentKey)
    queueKey = getJobKeyPrefix(parentKey, ":" .. id)
  end
  local dependencies = parentKey .. ":dependencies"
  if rcall("SREM", dependencies, job) == 1 then
    updateParentDepsIfNeeded(parentKey, queueKey, dependencies, id, job, value, timestamp)
  end
end
