import { changeDelay, changePriority, updateData } from 'bullmq/dist/cjs/scripts/index.js';
import type { JobChange } from '../../../../domain/jobs/job-change.ts';
import { jsonText } from '../../../../domain/values/json.ts';
import { exactHighestPriority } from '../attempts/exact-priority-patch.ts';
import { patchScript, type Patch } from '../attempts/script-patch.ts';
import type { Script, ScriptArgument } from '../connection/scripts.ts';
import type { QueueKeys } from '../layout/queue-keys.ts';
import { guarded } from './state-guard.ts';

/** BullMQ's own scripts for changes of a job. Each writes new data too, in the same run. */
export interface ChangeScripts {
  readonly changeData: Script;
  readonly changePriority: Script;
  readonly changeDelay: Script;
}

/** A run of one of the scripts, without what the guard takes. */
export interface ChangeRun {
  readonly script: Script;
  readonly keys: readonly string[];
  readonly args: readonly ScriptArgument[];
}

export function changeScripts(): ChangeScripts {
  return {
    changeData: guarded(patchScript(updateData, [])),
    changePriority: withData(
      patchScript(changePriority, [exactHighestPriority, searchFromNearEnd]),
    ),
    changeDelay: withData(patchScript(changeDelay, [])),
  };
}

/** A list is searched from one end. */
const searchFromNearEnd: Patch = {
  purpose: 'search a waiting job from the end that it is near to',
  find: 'rcall("LREM", waitKey, -1, jobId)',
  replace: 'rcall("LREM", waitKey, nearEnd, jobId)',
};

/** KEYS and ARGV: those of the script; then the key of the job, and its new data, empty to keep it. */
function withData({ name, lua, numberOfKeys }: Script): Script {
  return guarded({
    name,
    numberOfKeys: numberOfKeys + 1,
    lua: `
if ARGV[5] ~= "" then redis.call("HSET", KEYS[${numberOfKeys + 1}], "data", ARGV[5]) end
${lua}`,
  });
}

/** No state allows to change both priority and delay, so that it does not matter which is left out then. */
export function changeRun(
  scripts: ChangeScripts,
  keys: QueueKeys,
  jobId: string,
  { data, priority, delay }: JobChange,
  now: number,
): ChangeRun {
  const job = keys.jobPrefix + jobId;
  const newData = data === undefined ? '' : jsonText(data);
  if (delay !== undefined) {
    return {
      script: scripts.changeDelay,
      keys: [keys.delayed, keys.meta, keys.marker, keys.events, job],
      args: [delay, now, jobId, job, newData],
    };
  }
  if (priority === undefined) return { script: scripts.changeData, keys: [job], args: [newData] };
  const notLifo = '0';
  return {
    script: scripts.changePriority,
    keys: [
      keys.wait,
      keys.paused,
      keys.meta,
      keys.prioritized,
      keys.active,
      keys.priorityCounter,
      keys.marker,
      job,
    ],
    args: [priority, keys.jobPrefix, jobId, notLifo, newData],
  };
}
