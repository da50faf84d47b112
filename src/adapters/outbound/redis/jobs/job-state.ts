import type { QueueKeys } from '../layout/queue-keys.ts';

/** The keys that determine the state of a job, in the order in which `stateOf` expects them. */
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
 * Lua: a function that makes, from the `stateKeys` of a queue, one that returns the state of a job. A job that is
 * nowhere else waits, since the waiting list can only be searched from end to end. Which other places exist is asked
 * once, so no job may move into a new one between two calls.
 */
export const STATES_IN = `local function statesIn(active, prioritized, delayed, completed, failed, waitingChildren)
  local isElsewhere
  local function isIn(key, id) return redis.call("ZSCORE", key, id) and true end
  return function(id, processedOn, finishedOn)
    if finishedOn and isIn(completed, id) then return "completed" end
    if finishedOn and isIn(failed, id) then return "failed" end
    if processedOn and redis.call("LPOS", active, id) then return "active" end
    if isElsewhere == nil then
      isElsewhere = redis.call("EXISTS", delayed, prioritized, waitingChildren) > 0
    end
    if not isElsewhere then return "waiting" end
    if isIn(delayed, id) then return "delayed" end
    if isIn(prioritized, id) then return "prioritized" end
    if isIn(waitingChildren, id) then return "waiting-children" end
    return "waiting"
  end
end
`;

/**
 * Lua: such a function for one queue, `stateOf`.
 *
 * @param first the number of the first of the `stateKeys` among the KEYS.
 */
export function stateOf(first: number): string {
  const keys = Array.from({ length: STATE_KEYS }, (_, index) => `KEYS[${first + index}]`);
  return `${STATES_IN}local stateOf = statesIn(${keys.join(', ')})\n`;
}
