/** What the library's scripts need to let the parent of a job go on without it. */
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

/** What they need to remove a job that may have a parent or a deduplication id. */
export const REMOVING_A_JOB: readonly string[] = [
  ...RELEASING_A_PARENT,
  'removeDeduplicationKeyIfNeededOnRemoval',
  'removeJob',
];

/** What they need besides that to tell the parent of a job that this failed. */
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
 * @throws Error that names the one that the script does not define exactly once: the installed library is
 * another one then.
 */
export function libraryFunctions(lua: string, names: readonly string[]): string {
  return names.map((name) => definition(lua, name)).join('');
}

/** Definitions inside a function: what is looked for in a script by its name begins a line, and is not these. */
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
