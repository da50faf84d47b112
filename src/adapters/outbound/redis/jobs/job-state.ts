/**
 * Lua: the state of a job. It expects the keys of the states under their names. Where a job is not found
 * anywhere else it waits: the waiting list can only be searched from end to end.
 */
export const STATE_OF = `local function stateOf(id, processedOn, finishedOn)
  local function isIn(key) return redis.call("ZSCORE", key, id) and true end
  if finishedOn and isIn(completed) then return "completed" end
  if finishedOn and isIn(failed) then return "failed" end
  if processedOn and redis.call("LPOS", active, id) then return "active" end
  if isIn(delayed) then return "delayed" end
  if isIn(prioritized) then return "prioritized" end
  if isIn(waitingChildren) then return "waiting-children" end
  return "waiting"
end
`;
