import type { AttemptKey } from '../attempts/attempt.ts';
import type { ActionOutcome } from '../jobs/job-actions.ts';
import { NO_STEPS, type IndexedJob, type JobRecord } from '../records/job-record.ts';
import { excessOf, MOST_STEP_BYTES, type NewStep, type Step } from '../steps/step.ts';
import type { Awaited } from '../steps/awaited.ts';
import { isOver, type Wait, type WaitForJobs } from '../steps/suspension.ts';
import { sizeInBytes } from '../values/text.ts';
import { heldJob } from './holding.ts';
import type { QueueState } from './queue-state.ts';

const NOTHING = 'null';

/* The steps of jobs: each is a value under a name, and the first value of a name stays. */

/** The outcome of saving a step of a running attempt. */
export type StepSaved =
  | { readonly kind: 'saved' }
  | { readonly kind: 'refused' }
  /** @param step of that name, which stays. */
  | { readonly kind: 'known'; readonly step: Step }
  /** @param excess which bound the steps would exceed, in words. */
  | { readonly kind: 'too-much'; readonly excess: string };

/** A value that is about to be saved. */
export type StepToSave = NewStep & Pick<Step, 'kind' | 'at' | 'start'>;

/** Saves a step of the job that an attempt holds. */
export function saveStep(
  queue: QueueState,
  attempt: AttemptKey,
  { name, value }: NewStep,
  now: number,
): StepSaved {
  const held = heldJob(queue, attempt);
  if (held === undefined) return { kind: 'refused' };
  const job = queue.jobs.whole(held);
  const step = job.steps.find((each) => each.name === name);
  if (step !== undefined) return { kind: 'known', step };
  const excess = excessOf([...job.steps, { name, size: sizeInBytes(value) }]);
  if (excess !== undefined) return { kind: 'too-much', excess };
  saveSteps(queue, job, [{ name, value, kind: 'value', at: now, start: job.attemptsStarted }]);
  return { kind: 'saved' };
}

/** Saves values of a job, whatever its bounds. */
export function saveSteps(queue: QueueState, job: JobRecord, saved: readonly StepToSave[]): void {
  if (saved.length === 0) return;
  const added = saved.map(({ value, ...step }) => putValue(queue, job, value, step));
  queue.jobs.write(job, { steps: [...job.steps, ...added] });
}

/** Keeps a value for a job. @param value as JSON. @returns the step that it is once the job lists it. */
export function putValue(
  queue: QueueState,
  job: IndexedJob,
  value: string,
  step: Omit<Step, 'number' | 'size'>,
): Step {
  const number = job.lastStep + 1;
  queue.jobs.write(job, { lastStep: number });
  queue.jobs.putStep(job, number, value);
  return { number, size: sizeInBytes(value), ...step };
}

/**
 * Ends the suspension of a job that is about to be called: what it awaited becomes steps.
 *
 * @returns which bound the steps exceed now, in words; undefined when they may be called with.
 */
export function resume(queue: QueueState, job: JobRecord, now: number): string | undefined {
  const { suspension } = job;
  if (suspension === undefined) return undefined;
  const large = suspension.waits.find(
    (wait) => wait.kind === 'jobs' && lengthOfEnds(queue, job, wait) > MOST_STEP_BYTES,
  );
  if (large === undefined) saveWaits(queue, job, suspension.waits, now);
  queue.jobs.write(job, { suspension: undefined });
  return excessOf(large === undefined ? job.steps : [{ name: large.name, size: Infinity }]);
}

/** Ends the suspension of a job that ends without a call. Signals that came stay: they are answered. */
export function dropSuspension(queue: QueueState, job: JobRecord, now: number): void {
  saveWaits(queue, job, [], now);
  queue.jobs.write(job, { suspension: undefined });
}

/** Removes one step of a job, or all. A job that is suspended stays so. @returns `missing` for a name that is not there. */
export function removeSteps(
  queue: QueueState,
  jobId: string,
  name: string | undefined,
  now: number,
): ActionOutcome {
  return changeSteps(queue, jobId, now, (job) => {
    const removed = job.steps.filter((step) => name === undefined || step.name === name);
    if (name !== undefined && removed.length === 0) return 'missing';
    forgetSteps(queue, job, removed);
    return 'done';
  });
}

/**
 * Replaces the values of some steps of a job by null. A saved step stays one, so that its endpoint does not make it
 * again.
 */
export function clearSteps(
  queue: QueueState,
  jobId: string,
  names: readonly string[],
  now: number,
): ActionOutcome {
  return changeSteps(queue, jobId, now, (job) => {
    const steps = job.steps.map((step) => {
      if (!names.includes(step.name)) return step;
      queue.jobs.putStep(job, step.number, NOTHING);
      return { ...step, size: NOTHING.length };
    });
    queue.jobs.write(job, { steps });
    return 'done';
  });
}

/** Changes the steps of a job that no attempt holds. What a suspension brought by now is among them. */
function changeSteps(
  queue: QueueState,
  jobId: string,
  now: number,
  change: (job: JobRecord) => 'done' | 'missing',
): ActionOutcome {
  const found = queue.jobs.find(jobId);
  if (found?.status === undefined) return { kind: 'missing' };
  if (found.status === 'active') return { kind: 'refused', state: found.status };
  const job = queue.jobs.whole(found);
  const over = job.suspension?.waits.filter((wait) => isOver(wait, now, true));
  if (over !== undefined) saveWaits(queue, job, over, now);
  return { kind: change(job) };
}

/** Removes some steps of a job, or all. */
export function forgetSteps(queue: QueueState, job: JobRecord, forgotten = job.steps): void {
  if (forgotten.length === 0) return;
  for (const { number } of forgotten) queue.jobs.removeStep(job, number);
  queue.jobs.write(job, { steps: job.steps.filter((step) => !forgotten.includes(step)) });
}

/** A step as it is shown: its value is kept under its number, or here. */
export type ShownStep = Omit<Step, 'number' | 'start'> &
  (Pick<Step, 'number'> | { readonly value: string });

/** The steps of a job, and what its suspension brought by now. */
export function shownSteps({ steps, suspension }: JobRecord, now: number): readonly ShownStep[] {
  if (suspension === undefined) return steps;
  return [...steps, ...suspension.arrived, ...endedWaits(suspension.waits, now)];
}

/** The steps that sleeps brought which are over, and waits for signals that timed out. */
export function endedWaits(waits: readonly Wait[], now: number) {
  return waits.flatMap((wait) => {
    if (wait.kind === 'jobs' || !isOver(wait, now, true)) return [];
    const end = endOfTime(wait, now);
    return [{ name: wait.name, kind: wait.kind, size: end.value.length, ...end }];
  });
}

/** What a suspended job still awaits; undefined for one that is not suspended, or that goes on. */
export function awaitedBy(queue: QueueState, jobId: string, now: number): Awaited | undefined {
  const found = queue.jobs.find(jobId);
  if (found?.status !== 'delayed' && found?.status !== 'waiting-children') return undefined;
  const { suspension } = queue.jobs.indexed(found);
  const isParent = found.status === 'waiting-children';
  const waits = (suspension?.waits ?? []).filter((wait) => !isOver(wait, now, isParent));
  if (waits.length === 0) return undefined;
  const children = queue.jobs.childrenOf(found);
  const added = waits.flatMap((wait) => (wait.kind === 'jobs' ? wait.jobs : []));
  return { waits, jobs: added.filter((address) => children?.waitedFor(address) !== undefined) };
}

/** Has a suspended job list the signals that came, and what some waits brought. It goes on awaiting the others. */
function saveWaits(queue: QueueState, job: JobRecord, over: readonly Wait[], now: number): void {
  const { waits = [], arrived = NO_STEPS } = job.suspension ?? {};
  const ends = over.map((wait): StepToSave => {
    const { name, kind } = wait;
    if (wait.kind !== 'jobs') return { name, kind, ...endOfTime(wait, now) };
    return { name, kind, value: valueOfJobs(queue, job, wait), at: now };
  });
  queue.jobs.write(job, {
    steps: [...job.steps, ...arrived],
    suspension: { waits: waits.filter((wait) => !over.includes(wait)), arrived: NO_STEPS },
  });
  saveSteps(queue, job, ends);
}

/** When a sleep ended, and null for a signal that did not come. */
function endOfTime(
  wait: Exclude<Wait, WaitForJobs>,
  now: number,
): Pick<StepToSave, 'value' | 'at'> {
  const at = Math.min(wait.until ?? now, now);
  return { value: wait.kind === 'sleep' ? String(at) : NOTHING, at };
}

/** How jobs ended that a step added, in their order. The job knows them no longer. */
function valueOfJobs(queue: QueueState, job: IndexedJob, { jobs }: WaitForJobs): string {
  const children = queue.jobs.childrenOf(job);
  const ends = jobs.map((address) => {
    const end = children?.endOf(address);
    children?.forget(address);
    const head = JSON.stringify(address).slice(0, -1);
    if (end === undefined) return `${head},"state":"removed"}`;
    const field = end.state === 'completed' ? 'returnvalue' : 'failedReason';
    return `${head},"state":"${end.state}","${field}":${end.value}}`;
  });
  return `[${ends.join(',')}]`;
}

/** At least how many bytes the value of a step takes that added jobs: too much of it need not be at hand. */
function lengthOfEnds(queue: QueueState, job: IndexedJob, { jobs }: WaitForJobs): number {
  const children = queue.jobs.childrenOf(job);
  return jobs.reduce((sum, address) => sum + (children?.endOf(address)?.length ?? 0), 0);
}
