/** The functions that the library's scripts need to let the parent of a job continue without it. */
export const RELEASING_A_PARENT: readonly string[] = [
  'addBaseMarkerIfNeeded',
  'isQueuePausedOrMaxed',
  'addJobInTargetList',
  'getJobIdFromKey',
  'getJobKeyPrefix',
  '_moveParentToWait',
  'removeJobKeys',
  'removeParentDependencyKey',
];

/** The functions that they need to remove a job that may have a parent or a deduplication id. */
export const REMOVING_A_JOB: readonly string[] = [
  ...RELEASING_A_PARENT,
  'removeDeduplicationKeyIfNeededOnRemoval',
  'removeJob',
];

/** The further functions that they need to pass the failure of a job on to its parent. */
export const TELLING_A_PARENT: readonly string[] = [
  'getPriorityScore',
  'addJobWithPriority',
  'getNextDelayedTimestamp',
  'addDelayMarkerIfNeeded',
  'moveParentToWait',
  'moveParentToWaitIfNeeded',
  'moveParentToWaitIfNoPendingDependencies',
  'handleChildFailureAndMoveParentToWait',
  'moveChildFromDependenciesIfNeeded',
];

/**
 * The Lua functions of those names as a script of the library defines them, in the order of the names.
 *
 * @throws Error that names a function that the script does not define exactly once: then another version of the
 * library is installed.
 */
export function libraryFunctions(lua: string, names: readonly string[]): string {
  return names.map((name) => definition(lua, name)).join('');
}

/** Indents definitions inside a function, so that the search by name, which matches line starts, skips them. */
export function indented(lua: string): string {
  return lua.replaceAll(/^/gm, '  ');
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
