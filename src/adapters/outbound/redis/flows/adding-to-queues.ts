import type { FailureRule, JobAddress, NewFlowJob } from '../../../../domain/flows/flow.ts';
import type { NewJob } from '../../../../domain/jobs/job.ts';
import type { QueueName } from '../../../../domain/queues/queue-name.ts';
import type {
  LackingRoom,
  LimitsOfQueues,
  QueuedJob,
} from '../../../../domain/transitions/add-to-queues.ts';
import { jsonText } from '../../../../domain/values/json.ts';
import type { StoreCommands } from '../connection/store-commands.ts';
import { callInTime } from '../connection/timely-run.ts';
import { isDeduplicated } from '../jobs/add-call.ts';
import { placeOf } from '../jobs/job-place.ts';
import type { JobToStage } from '../jobs/job-to-stage.ts';
import { claimed } from '../jobs/remembered-adds.ts';
import { StagedAdding, type JobsToStage } from '../jobs/staged-adding.ts';
import { LARGEST_RUN, MOST_SPECIAL_JOBS_PER_RUN } from '../jobs/staged-limits.ts';
import { storedOptions } from '../layout/job-record.ts';
import type { ScriptArgument } from '../lua/script.ts';
import { addFlow, type AddOutcome, type LackingRoomAnswer } from '../scripts/adds.ts';

/** What BullMQ stores with a child about the effect of its failure on its parent. */
const STORED_RULES: Readonly<Record<FailureRule, object>> = {
  wait: {},
  fail: { fpof: true },
  continue: { cpof: true },
  ignore: { idof: true },
};

/** A job of a flow, or one of an add to several queues, which has no family. */
type JobOfQueues = QueuedJob & Partial<NewFlowJob>;

/** The terms that all jobs of an add to several queues share. */
type JobTerms = Omit<JobsToStage, 'jobs' | 'isFlow' | 'numberedIn'>;

/**
 * Adds jobs to several queues: all or none, those that one run stores in a short time at once.
 *
 * @throws DomainError `store-unavailable`.
 */
export async function addToQueues(
  store: StoreCommands,
  jobs: readonly JobOfQueues[],
  isFlow: boolean,
  terms: JobTerms,
): Promise<AddOutcome> {
  const areNew = isFlow || !jobs.some(({ job }) => mayStandFor(job));
  const rows = jobs.length <= MOST_SPECIAL_JOBS_PER_RUN && areNew && rowsOf(jobs, store.prefix);
  if (rows) return addAtOnce(store, jobs, terms, rows);
  const { identity, home } = terms;
  if (identity !== undefined && home !== undefined) {
    const known = await claimed(store, store.keysOf(home), identity);
    if (known !== undefined) return known;
  }
  const toStage = jobs.map((each) => {
    return { isParent: false, ...each, parent: parentOf(each, store.prefix, jobs) };
  });
  return new StagedAdding(store).add({ jobs: toStage, isFlow, ...terms });
}

/** Reads from the answer of a script which queues and groups lack room. */
export function lackingRoom(
  [, excess, full]: LackingRoomAnswer,
  jobs: readonly JobAddress[],
): LackingRoom {
  const queues = queuesOf(jobs);
  return {
    queues: excess.map(([number, more]) => {
      return { queue: queues[number - 1] as QueueName, excess: more };
    }),
    groups: full.map(([position, waiting]) => ({ position, waiting })),
  };
}

/** The queues of jobs by their numbers in a script, which count from 1. */
export function queuesOf(jobs: readonly Pick<JobAddress, 'queue'>[]): readonly QueueName[] {
  return [...new Set(jobs.map(({ queue }) => queue))];
}

/** The names and limits of queues, as the scripts that add jobs read them. */
export function queueTerms(
  queues: readonly QueueName[],
  { maxWaiting, maxWaitingOfGroup: ofGroup }: LimitsOfQueues,
): string {
  return queues
    .map((each) => `${each}:${maxWaiting(each) ?? ''}:${ofGroup(each) ?? ''}\n`)
    .join('');
}

/** Whether another job may be there in its place. */
function mayStandFor(job: NewJob): boolean {
  return job.opts.jobId !== undefined || isDeduplicated(job);
}

/** Adds jobs that one run stores in a short time. */
function addAtOnce(
  store: StoreCommands,
  jobs: readonly JobOfQueues[],
  { identity, home, isDry = false, timestamp, what, ...limits }: JobTerms,
  { isPlain, rows }: RowsOfJobs,
): Promise<AddOutcome> {
  const { prefix } = store;
  const remembered = identity === undefined ? '' : JSON.stringify(identity);
  const terms = queueTerms(queuesOf(jobs), limits);
  const args = { prefix, timestamp, remembered, home: home ?? '', isDry, terms, isPlain };
  return callInTime(store, addFlow, store.all, args, what, rows);
}

/** Jobs as the arguments of one run. */
interface RowsOfJobs {
  readonly isPlain: boolean;
  readonly rows: readonly ScriptArgument[];
}

/** A payload is sent once for jobs that follow each other. Undefined for jobs that are too large for one run. */
function rowsOf(jobs: readonly JobOfQueues[], prefix: string): RowsOfJobs | undefined {
  const numbers = new Map(queuesOf(jobs).map((queue, index) => [queue, index + 1]));
  const isPlain = jobs.every(isPlainJob);
  const rows: ScriptArgument[] = [];
  let before: readonly string[] = [];
  let size = 0;
  for (const each of jobs) {
    const { queue, id, job } = each;
    const payload = [job.name, jsonText(job.data), storedOptions(job.opts)];
    const isSame = payload.every((text, index) => text === before[index]);
    const number = numbers.get(queue) ?? 0;
    rows.push(isSame ? -number : number, isPlain ? id : placeOf({ ...job.opts, jobId: id }));
    if (!isPlain) rows.push(...familyOf(each, prefix, jobs));
    if (!isSame) rows.push(...payload);
    before = payload;
    for (const text of payload) size += text.length;
    if (size > LARGEST_RUN && jobs.length > 1) return undefined;
  }
  return { isPlain, rows };
}

/** Whether a job without a family and an id of its own waits in the list of its queue, behind others. */
function isPlainJob({ isParent, parent, job: { opts } }: JobOfQueues): boolean {
  return isParent !== true && parent === undefined && placeOf(opts) === '';
}

function familyOf(
  each: JobOfQueues,
  prefix: string,
  jobs: readonly JobOfQueues[],
): readonly ScriptArgument[] {
  const { parent, isParent, job } = each;
  return [
    parent === undefined ? '' : parent + 1,
    parentOf(each, prefix, jobs)?.stored ?? '',
    (isParent === true ? 'p' : '') + (job.opts.jobId === undefined ? '' : 'g'),
  ];
}

/** The parent of a job, and the JSON that BullMQ stores about it. */
function parentOf(
  { parent: position, onFailure = 'wait' }: JobOfQueues,
  prefix: string,
  jobs: readonly JobOfQueues[],
): JobToStage['parent'] {
  const above = position === undefined ? undefined : jobs[position];
  if (position === undefined || above === undefined) return undefined;
  const { id, queue } = above;
  const queueKey = `${prefix}:${queue}`;
  const stored = JSON.stringify({ id, queueKey, ...STORED_RULES[onFailure] });
  return { position, key: `${queueKey}:${id}`, stored };
}
