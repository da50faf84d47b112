import type { QueueKeys } from '../layout/queue-keys.ts';

/** The keys that tell the state of a job, in the order in which `stateOf` expects them. */
export function stateKeys(keys: QueueKeys): readonly string[] {
  return [
    keys.active,
    keys.prioritized,
    keys.delayed,
    keys.completed,
    keys.failed,
    keys.waitingChildren,
  ];
}

/** How many keys `stateKeys` has. */
export const STATE_KEYS = 6;

/**
 * Lua: a function that tells the state of a job. Where a job is not found anywhere else it waits: the waiting
 * list can only be searched from end to end. Whether there is anywhere else is asked once, so no job may come into
 * such a place between two calls.
 *
 * @param first the number of the first of the `stateKeys` among the KEYS.
 */
export function stateOf(first: number): string {
  const keys = Array.from({ length: STATE_KEYS }, (_, index) => `KEYS[${first + index}]`);
  return `local active, prioritized, delayed, completed, failed, waitingChildren = ${keys.join(', ')}
local isElsewhere
local function stateOf(id, processedOn, finishedOn)
  local function isIn(key) return redis.call("ZSCORE", key, id) and true end
  if finishedOn and isIn(completed) then return "completed" end
  if finishedOn and isIn(failed) then return "failed" end
  if processedOn and redis.call("LPOS", active, id) then return "active" end
  if isElsewhere == nil then
    isElsewhere = redis.call("EXISTS", delayed, prioritized, waitingChildren) > 0
  end
  if not isElsewhere then return "waiting" end
  if isIn(delayed) then return "delayed" end
  if isIn(prioritized) then return "prioritized" end
  if isIn(waitingChildren) then return "waiting-children" end
  return "waiting"
end
`;
}
