/** What the library's scripts need to remove a job that may have a parent or a deduplication id. */
export const REMOVING_A_JOB: readonly string[] = [
  'addBaseMarkerIfNeeded',
  'isQueuePausedOrMaxed',
  'addJobInTargetList',
  'getJobIdFromKey',
  'getJobKeyPrefix',
  '_moveParentToWait',
  'removeJobKeys',
  'removeDeduplicationKeyIfNeededOnRemoval',
  'removeParentDependencyKey',
  'removeJob',
];

/**
 * The Lua functions of those names as a script of the library defines them, in the order of the names.
 *
 * @throws Error that names the one that the script does not define exactly once: the installed library is
 * another one then.
 */
export function libraryFunctions(lua: string, names: readonly string[]): string {
  return names.map((name) => definition(lua, name)).join('');
}

function definition(lua: string, name: string): string {
  const form = `^local (?:function ${name}|${name} = function ?)\\([\\s\\S]*?^end\\n`;
  const found = [...lua.matchAll(new RegExp(form, 'gm'))];
  const [text] = found[0] ?? [];
  if (text === undefined || found.length > 1) {
    throw new Error(
      `BullMQ defines the Lua function ${name} ${found.length} times instead of once`,
    );
  }
  return text;
}
