import { promote, removeJob } from 'bullmq/dist/cjs/scripts/index.js';
import type { Script } from '../connection/scripts.ts';
import { exactHighestPriority } from '../attempts/library-scripts.ts';
import { patchScript } from '../attempts/script-patch.ts';
import { retryScript } from './retry-script.ts';
import { guarded } from './state-guard.ts';

/** BullMQ's own scripts for what operators do to single jobs, each only in the states that allow it. */
export interface ControlScripts {
  readonly remove: Script;
  readonly promote: Script;
  readonly retry: Script;
}

/** @throws Error when the installed BullMQ is not the version that the scripts were tested with. */
export function controlScripts(): ControlScripts {
  return {
    remove: guarded(patchScript(removeJob, [])),
    promote: guarded(patchScript(promote, [exactHighestPriority])),
    retry: retryScript(),
  };
}
