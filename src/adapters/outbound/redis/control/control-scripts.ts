import { promote, removeJob } from 'bullmq/dist/cjs/scripts/index.js';
import type { Script } from '../connection/scripts.ts';
import { exactHighestPriority } from '../attempts/exact-priority-patch.ts';
import { patchScript, type Patch } from '../attempts/script-patch.ts';
import { releasedParent } from '../flows/released-parent-patch.ts';
import { retryScript } from './retry-script.ts';
import { ofSmallFamily } from './family-scripts.ts';
import { guarded } from './state-guard.ts';

/** BullMQ's own scripts for operations on single jobs, each only in the states that allow it. */
export interface ControlScripts {
  readonly remove: Script;
  readonly promote: Script;
  readonly retry: Script;
}

/** A list is searched from one end. */
const searchFromNearEnd: Patch = {
  purpose: 'search waiting jobs from the end that they are near to',
  find: 'rcall("LREM", prefix .. "wait", 1, jobId)',
  replace: 'rcall("LREM", prefix .. "wait", nearEnd, jobId)',
};

/** @throws Error when the installed BullMQ is not the version that the scripts were tested with. */
export function controlScripts(): ControlScripts {
  return {
    remove: guarded(ofSmallFamily(patchScript(removeJob, [searchFromNearEnd, releasedParent]))),
    promote: guarded(patchScript(promote, [exactHighestPriority])),
    retry: retryScript(),
  };
}
