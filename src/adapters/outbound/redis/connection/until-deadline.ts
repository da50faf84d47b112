import type { Script } from './scripts.ts';

/** The answer of a script that the store started after its deadline. It changes nothing then. */
export const CAME_LATE = 'came late';

/**
 * The script, for `runInTime`. KEYS and ARGV are those of the script, then the deadline in epoch milliseconds of the
 * store.
 */
export function untilDeadline({ name, lua, numberOfKeys }: Script): Script {
  return {
    name: `${name}InTime`,
    numberOfKeys,
    lua: `
do
  local deadline, time = tonumber(table.remove(ARGV)), redis.call("TIME")
  if tonumber(time[1]) * 1000 + tonumber(time[2]) / 1000 > deadline then return "${CAME_LATE}" end
end
${lua}`,
  };
}
