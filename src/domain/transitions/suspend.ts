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
import { errorOfRoom, insertIn, startingJobs } from './add-flow.ts';
import { delayGroup } from './groups/blocking.ts';
import { UNLOCKED } from './holding.ts';
import { enqueueAhead, moveTo, putBack, waitForChildren } from './places.ts';
import type { QueueState } from './queue-state.ts';
import { keptUntil } from './signals.ts';
import { saveSteps, type StepToSave } from './steps.ts';

/** How often a job is suspended at most, unless it says otherwise. */
export const MOST_SUSPENSIONS = 1000;

/** How many jobs of a queue wait for one signal at most. */
export const MOST_WAITING_FOR_SIGNAL = 100_000;

/** A job that a suspension adds, with its id. */
type Added = AddedByStep & { readonly id: string };

/** The steps that a suspension saves at once, its waits, and the jobs that it adds. */
interface Parts {
  readonly saved: StepToSave[];
  readonly waits: Wait[];
  readonly added: Added[];
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
  request: SuspensionRequest,
  now: number,
): SuspensionRefusal | undefined {
  const { jobs } = queue;
  const parts = partsOf(queue, job, request, now);
  const refusal = refusalToSuspend(queue, job, request, parts);
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

function refusalToSuspend(
  queue: QueueState,
  job: JobRecord,
  { maxWaiting }: SuspensionRequest,
  { saved, waits, added }: Parts,
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
  for (const [name, starting] of startingJobs(added)) {
    const full = errorOfRoom(queue.other(name), starting, maxWaiting.get(name));
    if (full !== undefined) return refused(full.message);
  }
  return undefined;
}

function refused(reason: string, isFinal = false): SuspensionRefusal {
  return { reason, isFinal };
}

/** Splits a request into steps that are over at once, waits for the others, and jobs to add. Saved names are skipped. */
function partsOf(
  queue: QueueState,
  job: JobRecord,
  { steps, sleeps, signals, added, id }: SuspensionRequest,
  now: number,
): Parts {
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
  for (const { name, jobs } of added.filter(isNew)) {
    const first = parts.added.length + 1;
    const own = jobs.map((each, index) => ({ ...each, id: `${id}-${first + index}` }));
    parts.added.push(...own);
    const addresses = own.map((each) => ({ queue: each.queue, id: each.id }));
    if (own.length > 0) parts.waits.push({ name, kind: 'jobs', jobs: addresses });
    else parts.saved.push({ name, value: '[]', kind: 'jobs', at: now });
  }
  return parts;
}

/** The failure of a job that a step adds is a result of the step. */
function addChildren(
  queue: QueueState,
  job: JobRecord,
  added: readonly Added[],
  now: number,
): void {
  const parent = { queue: queue.name, id: job.id, onFailure: 'ignore' } as const;
  for (const { queue: to, id, job: given } of added) {
    const opts = { ...given.opts, ignoreDependencyOnFailure: true };
    const record = Object.assign(newJobRecord(id, { ...given, opts }, now), { parent });
    insertIn(queue.opened(to), record);
  }
  const first = (queue.jobs.childrenOf(job)?.known.at(-1)?.number ?? -1) + 1;
  const { onFailure } = parent;
  const children = added.map(({ queue: to, id }, index) => ({
    queue: to,
    id,
    number: first + index,
    onFailure,
  }));
  queue.jobs.addChildren(job, children);
}
