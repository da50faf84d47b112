--- @include "reading/job-state"
--- @include "attempts/waiting-place"

-- Looks at a job before an action on it, which happens in an allowed state or not at all, even if other clients act on
-- the job. Returns the state of the job and the end of its list from which LREM is to search it. If the action may not
-- happen it returns no state, but third what the script is to return: nothing when there is no such job, the state of
-- the job when that is not an allowed one, or TOO_DEEP.
local function guarded(prefix, id, allowed, reach)
  local record = redis.pcall("HMGET", prefix .. id, "name", "timestamp", "processedOn", "finishedOn")
  if record.err or not record[1] or not record[2] then return nil, nil, false end
  local state = statesIn(prefix)(id, record[3], record[4])
  if not state then return nil, nil, false end
  if not string.find(allowed, "," .. state .. ",", 1, true) then return nil, nil, state end
  if state ~= "waiting" then return state, -1 end
  local nearEnd = endNearTo(prefix, id, tonumber(reach))
  if not nearEnd then return nil, nil, TOO_DEEP end
  return state, nearEnd
end
