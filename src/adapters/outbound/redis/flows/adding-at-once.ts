import type { FailureRule, NewFlowJob } from '../../../../domain/flows/flow.ts';
import { jsonText } from '../../../../domain/values/json.ts';
import type { StoreCommands } from '../connection/store-commands.ts';
import { callInTime } from '../connection/timely-run.ts';
import { placeOf } from '../jobs/job-place.ts';
import type { JobToStage } from '../jobs/job-to-stage.ts';
import type { JobsToStage } from '../jobs/staged-adding.ts';
import { storedOptions } from '../layout/job-record.ts';
import type { ScriptArgument } from '../lua/script.ts';
import { addFlow, type AddOutcome } from '../scripts/adds.ts';

/** What BullMQ stores with a child about the effect of its failure on its parent. */
const STORED_RULES: Readonly<Record<FailureRule, object>> = {
  wait: {},
  fail: { fpof: true },
  continue: { cpof: true },
  ignore: { idof: true },
};

/** What all jobs of an add to several queues have in common. */
export type JobTerms = Omit<JobsToStage, 'jobs' | 'isFlow' | 'numberedIn'>;

/** Adds jobs that one run stores in a short time: all or none. @throws DomainError `store-unavailable`. */
export function addAtOnce(
  store: StoreCommands,
  jobs: readonly NewFlowJob[],
  { maxWaiting, maxWaitingOfGroup, identity, home, isDry = false, timestamp, what }: JobTerms,
): Promise<AddOutcome> {
  const { prefix } = store;
  const queues = new Set(jobs.map(({ queue }) => queue));
  const numbers = new Map(Array.from(queues, (queue, index) => [queue, index + 1]));
  const remembered = identity === undefined ? '' : JSON.stringify(identity);
  const queueCount = queues.size;
  const isPlain = jobs.every(isPlainJob);
  const args = { prefix, timestamp, remembered, home: home ?? '', isDry, queueCount, isPlain };
  const rest = [
    ...[...queues].flatMap((each) => [each, maxWaiting(each) ?? '', maxWaitingOfGroup(each) ?? '']),
    ...jobs.flatMap((each) => {
      const { queue, id, job } = each;
      const { name, data, opts } = job;
      const place = isPlain ? id : placeOf({ ...opts, jobId: id });
      const family = isPlain ? [] : familyOf(each, prefix, jobs);
      const number = numbers.get(queue) ?? 0;
      return [number, place, name, jsonText(data), storedOptions(opts), ...family];
    }),
  ];
  return callInTime(store, addFlow, store.all, args, what, rest);
}

/** Whether a job without a family and an id of its own waits in the list of its queue, behind others. */
function isPlainJob({ isParent, parent, job: { opts } }: NewFlowJob): boolean {
  return !isParent && parent === undefined && placeOf(opts) === '';
}

function familyOf(
  each: NewFlowJob,
  prefix: string,
  jobs: readonly NewFlowJob[],
): readonly ScriptArgument[] {
  const { parent, isParent, job } = each;
  return [
    parent === undefined ? '' : parent + 1,
    parentOf(each, prefix, jobs)?.stored ?? '',
    (isParent ? 'p' : '') + (job.opts.jobId === undefined ? '' : 'g'),
  ];
}

/** The parent of a job, and the JSON that BullMQ stores about it. */
export function parentOf(
  { parent: position, onFailure }: NewFlowJob,
  prefix: string,
  jobs: readonly NewFlowJob[],
): JobToStage['parent'] {
  const above = position === undefined ? undefined : jobs[position];
  if (position === undefined || above === undefined) return undefined;
  const { id, queue } = above;
  const queueKey = `${prefix}:${queue}`;
  const stored = JSON.stringify({ id, queueKey, ...STORED_RULES[onFailure] });
  return { position, key: `${queueKey}:${id}`, stored };
}
