import manifest from 'bullmq/package.json' with { type: 'json' };

/** The paths of BullMQ's Lua functions begin with this, wherever a script includes them. */
export const LIBRARY = 'bullmq/';

/** The version whose layout of keys the scripts write, and whose functions they include. */
export const PINNED_VERSION = '6.7.0';

/**
 * Functions of BullMQ that are defined otherwise here, for all that include them: by the path of its file, that of
 * ours. Each of ours says why.
 */
export const REPLACED: Readonly<Record<string, string>> = {
  'bullmq/getPriorityScore': 'adds/priority-score',
  'bullmq/moveParentToWait': 'families/started-parent',
  'bullmq/removeJobKeys': 'families/removed-keys',
  'bullmq/removeParentDependencyKey': 'families/released-parent',
  'bullmq/storeAndEnqueueJob': 'adds/enqueued-job',
  'bullmq/storeDeduplicatedNextJob': 'adds/deduplicated-next-job',
};

/** @throws Error when another version is installed. Untested functions must not run a queue. */
export function checkLibrary(version: string = manifest.version): void {
  if (version === PINNED_VERSION) return;
  throw new Error(
    `BullMQ ${version} is installed, but jobgate writes the layout of ${PINNED_VERSION}: install that version, or ` +
      'see docs/adr/0003 for how to move to another',
  );
}
