import { groupFull, queueFull } from '../errors.ts';
import type { FailureRule, JobAddress } from '../flows/flow.ts';
import type { QueueName } from '../queues/queue-name.ts';
import { newJobRecord, NO_STEPS, optionsOf, type JobRecord } from '../records/job-record.ts';
import { excessOf } from '../steps/step.ts';
import { NO_NEW_STEP } from '../steps/suspend-answer.ts';
import { latestEnd, type Wait } from '../steps/suspension.ts';
import type {
  AddedByStep,
  SuspensionRefusal,
  SuspensionRequest,
} from '../steps/suspension-request.ts';
import { sizeInBytes } from '../values/text.ts';
import { insertIn } from './add-flow.ts';
import { lackingRoom, type LackingRoom } from './add-to-queues.ts';
import { delayGroup } from './groups/blocking.ts';
import { UNLOCKED } from './holding.ts';
import { enqueueAhead, moveTo, putBack, waitForChildren } from './places.ts';
import type { QueueState } from './queue-state.ts';
import { keptUntil } from './signals.ts';
import { saveSteps, type StepToSave } from './steps.ts';

/** How often a job is suspended at most, unless it says otherwise. */
export const MOST_SUSPENSIONS = 1000;

/** The effect of a job that a step adds on the job that waits for it. */
const ON_FAILURE: FailureRule = 'ignore';

/** How many jobs of a queue wait for one signal at most. */
export const MOST_WAITING_FOR_SIGNAL = 100_000;

/** A request with the records of all jobs to add, in their order, where they were made before. */
export interface MadeRequest extends SuspensionRequest {
  readonly made?: readonly JobRecord[] | undefined;
}

/** A job that a suspension adds. */
export interface JobOfStep extends AddedByStep {
  readonly id: string;
  /** Of its options in the answer. */
  readonly path: string;
  /** Its record, where that was made before. */
  readonly made?: JobRecord | undefined;
}

/** The steps that a suspension saves at once, its waits, and the jobs that it adds. */
interface Parts {
  readonly saved: StepToSave[];
  readonly waits: Wait[];
  readonly added: JobOfStep[];
}

/**
 * Saves the steps of an answer and suspends the job that an attempt holds, or changes nothing (further contract, section
 * 22).
 *
 * @returns why the job cannot be suspended so; undefined when it is.
 */
export function suspend(
  queue: QueueState,
  job: JobRecord,
  request: MadeRequest,
  now: number,
): SuspensionRefusal | undefined {
  const { jobs } = queue;
  const parts = partsOf(queue, job, request, now);
  const refusal = refusalToSuspend(queue, job, request, parts, now);
  if (refusal !== undefined) return refusal;
  const { saved, waits, added } = parts;
  saveSteps(queue, job, saved);
  const suspension = { waits, arrived: NO_STEPS };
  const suspensions = job.suspensions + 1;
  jobs.write(job, { ...UNLOCKED, suspensions, deferrals: 0, delay: 0, suspension });
  if (waits.length === 0) {
    if (job.group === undefined && job.priority === 0) enqueueAhead(queue, job);
    else putBack(queue, job);
    return undefined;
  }
  const until = latestEnd(waits);
  if (added.length > 0) {
    addChildren(queue, job, added, now);
    waitForChildren(queue, job);
  } else moveTo(queue, job, until, now);
  delayGroup(queue, job);
  const steps = waits.map(({ name }) => name);
  queue.note('suspended', job.id, JSON.stringify({ steps, until: until ?? null }));
  return undefined;
}

/** All jobs of a request, of which it adds those of new names. The failure of one is a result of the step. */
export function jobsOfSteps({ added, id, made }: MadeRequest): readonly JobOfStep[] {
  return added
    .flatMap(({ name, jobs }) =>
      jobs.map((each, index) => ({ ...each, path: `add.${name}[${index}].opts` })),
    )
    .map(({ queue, job, path }, index) => {
      const opts = { ...job.opts, ignoreDependencyOnFailure: true };
      return { queue, job: { ...job, opts }, id: `${id}-${index + 1}`, path, made: made?.[index] };
    });
}

/** The record of a job that a step adds. @param parent the suspended job. */
export function madeByStep({ id, job }: JobOfStep, parent: JobAddress, now: number): JobRecord {
  return Object.assign(newJobRecord(id, job, now), {
    parent: { ...parent, onFailure: ON_FAILURE },
  });
}

function refusalToSuspend(
  queue: QueueState,
  job: JobRecord,
  { maxWaiting, maxWaitingOfGroup }: SuspensionRequest,
  { saved, waits, added }: Parts,
  now: number,
): SuspensionRefusal | undefined {
  const { maxCalls = MOST_SUSPENSIONS } = optionsOf(job);
  if (job.suspensions >= maxCalls) return refused(`Suspended ${maxCalls} times`, true);
  if (saved.length + waits.length === 0) return refused(NO_NEW_STEP);
  const sized = saved.map(({ name, value }) => ({ name, size: sizeInBytes(value) }));
  const excess = excessOf([...job.steps, ...sized]);
  if (excess !== undefined) return refused(excess, true);
  for (const wait of waits) {
    if (wait.kind !== 'signal') continue;
    if (queue.jobs.waitingFor(wait.key).size >= MOST_WAITING_FOR_SIGNAL) {
      return refused(`${MOST_WAITING_FOR_SIGNAL} jobs wait for the signal ${wait.key}`);
    }
  }
  const limits = {
    maxWaiting: (name: QueueName) => maxWaiting.get(name),
    maxWaitingOfGroup: (name: QueueName) => maxWaitingOfGroup?.get(name),
  };
  const lacking = lackingRoom(added, limits, (name) => queue.other(name), now);
  return lacking && refusalByRoom(lacking, added, maxWaiting);
}

/** Why a suspension is refused whose jobs lack room. @param jobs those among which full groups have positions. */
export function refusalByRoom(
  { queues: [full], groups: [group] }: LackingRoom,
  jobs: readonly JobOfStep[],
  maxWaiting: SuspensionRequest['maxWaiting'],
): SuspensionRefusal {
  if (full !== undefined) return refused(queueFull(maxWaiting.get(full.queue) ?? 0).message);
  const { position = 0, waiting = 0 } = group ?? {};
  const { path, job } = jobs[position] as JobOfStep;
  return refused(groupFull(path, job.opts.group?.id ?? '', waiting).message);
}

function refused(reason: string, isFinal = false): SuspensionRefusal {
  return { reason, isFinal };
}

/** Splits a request into steps that are over at once, waits for the others, and jobs to add. Saved names are skipped. */
function partsOf(queue: QueueState, job: JobRecord, request: MadeRequest, now: number): Parts {
  const { steps, sleeps, signals, added } = request;
  const parts: Parts = { saved: [], waits: [], added: [] };
  const known = new Set(job.steps.map(({ name }) => name));
  const isNew = ({ name }: { readonly name: string }): boolean => {
    const isFirst = !known.has(name);
    known.add(name);
    return isFirst;
  };
  for (const step of steps.filter(isNew)) {
    parts.saved.push({ ...step, kind: 'value', at: now, start: job.attemptsStarted });
  }
  for (const { name, duration } of sleeps.filter(isNew)) {
    parts.waits.push({ name, kind: 'sleep', until: now + duration });
  }
  for (const { name, key, timeout } of signals.filter(isNew)) {
    const until = timeout === undefined ? undefined : now + timeout;
    if (keptUntil(queue, key, now) === undefined)
      parts.waits.push({ name, kind: 'signal', key, until });
    else parts.saved.push({ name, kind: 'signal', value: queue.signals.bodyOf(key), at: now });
  }
  const all = jobsOfSteps(request);
  let first = 0;
  for (const { name, jobs } of added) {
    const own = all.slice(first, first + jobs.length);
    first += jobs.length;
    if (!isNew({ name })) continue;
    parts.added.push(...own);
    const addresses = own.map((each) => ({ queue: each.queue, id: each.id }));
    if (own.length > 0) parts.waits.push({ name, kind: 'jobs', jobs: addresses });
    else parts.saved.push({ name, value: '[]', kind: 'jobs', at: now });
  }
  return parts;
}

function addChildren(
  queue: QueueState,
  job: JobRecord,
  added: readonly JobOfStep[],
  now: number,
): void {
  const parent = { queue: queue.name, id: job.id };
  insertIn(
    added.map((each) => [queue.opened(each.queue), each.made ?? madeByStep(each, parent, now)]),
  );
  const first = (queue.jobs.childrenOf(job)?.known.at(-1)?.number ?? -1) + 1;
  const children = added.map(({ queue: to, id }, index) => ({
    queue: to,
    id,
    number: first + index,
    onFailure: ON_FAILURE,
  }));
  queue.jobs.addChildren(job, children);
}
