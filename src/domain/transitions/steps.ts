import type { AttemptKey } from '../attempts/attempt.ts';
import type { ActionOutcome } from '../jobs/job-actions.ts';
import { NO_STEPS, type IndexedJob, type JobRecord } from '../records/job-record.ts';
import { excessOf, MOST_STEP_BYTES, type NewStep, type Step } from '../steps/step.ts';
import type { Awaited } from '../steps/awaited.ts';
import { awaited, isOver, type Arrival, type Wait, type WaitForJobs } from '../steps/suspension.ts';
import { sizeInBytes } from '../values/text.ts';
import { heldJob } from './holding.ts';
import type { QueueState } from './queue-state.ts';

const NOTHING = 'null';

/* The steps of jobs: each is a value under a name, and the first value of a name stays. */

/** What became of a step that a running attempt saves. */
export type StepSaved =
  | { readonly kind: 'saved' | 'known' | 'refused' }
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
  if (job.steps.some((step) => step.name === name)) return { kind: 'known' };
  const excess = excessOf([...job.steps, { name, size: sizeInBytes(value) }]);
  if (excess !== undefined) return { kind: 'too-much', excess };
  saveSteps(queue, job, [{ name, value, kind: 'value', at: now, start: job.attemptsStarted }]);
  return { kind: 'saved' };
}

/** Saves values of a job, without a look at its bounds. */
export function saveSteps(queue: QueueState, job: JobRecord, saved: readonly StepToSave[]): void {
  if (saved.length === 0) return;
  const added = saved.map(({ name, value, kind, at, start }): Step => {
    const { number, size } = putValue(queue, job, value, at);
    return { number, name, kind, at, size, ...(start !== undefined && { start }) };
  });
  queue.jobs.write(job, { steps: [...job.steps, ...added] });
}

/** Keeps a value for a job. @param value as JSON. */
export function putValue(queue: QueueState, job: IndexedJob, value: string, at: number): Arrival {
  const number = job.lastStep + 1;
  queue.jobs.write(job, { lastStep: number });
  queue.jobs.putStep(job, number, value);
  return { number, at, size: sizeInBytes(value) };
}

/**
 * Ends the suspension of a job that is about to be called: what it awaited becomes steps.
 *
 * @returns which bound the steps exceed now, in words; undefined when they may be called with.
 */
export function resume(queue: QueueState, job: JobRecord, now: number): string | undefined {
  const { suspension } = job;
  if (suspension === undefined) return undefined;
  queue.jobs.write(job, { suspension: undefined });
  const large = suspension.waits.find(
    (wait) => wait.kind === 'jobs' && lengthOfEnds(queue, job, wait) > MOST_STEP_BYTES,
  );
  if (large !== undefined) return excessOf([{ name: large.name, size: Infinity }]);
  saveOver(queue, job, suspension.waits, now);
  return excessOf(job.steps);
}

/** Ends the suspension of a job that ends without a call. Signals that came stay: they are answered. */
export function dropSuspension(queue: QueueState, job: JobRecord, now: number): void {
  const came = job.suspension?.waits.filter((wait) => wait.kind === 'signal' && wait.came != null);
  saveOver(queue, job, came ?? [], now);
  queue.jobs.write(job, { suspension: undefined });
}

/** Removes one step of a job, or all. A job that is suspended stays so. @returns `missing` for a name that is not there. */
export function removeSteps(
  queue: QueueState,
  jobId: string,
  name: string | undefined,
  now: number,
): ActionOutcome {
  const found = queue.jobs.find(jobId);
  if (found?.status === undefined) return { kind: 'missing' };
  if (found.status === 'active') return { kind: 'refused', state: found.status };
  const job = queue.jobs.whole(found);
  saveEndedWaits(queue, job, now);
  const removed = job.steps.filter((step) => name === undefined || step.name === name);
  if (name !== undefined && removed.length === 0) return { kind: 'missing' };
  for (const { number } of removed) queue.jobs.removeStep(job, number);
  queue.jobs.write(job, { steps: job.steps.filter((step) => !removed.includes(step)) });
  return { kind: 'done' };
}

/** Removes all steps of a job that is not suspended. */
export function forgetSteps(queue: QueueState, job: JobRecord): void {
  if (job.steps.length === 0) return;
  for (const { number } of job.steps) queue.jobs.removeStep(job, number);
  queue.jobs.write(job, { steps: NO_STEPS });
}

/** A step as it is shown: its value is kept under its number, or here. */
export type ShownStep = Omit<Step, 'number' | 'start'> &
  (Pick<Step, 'number'> | { readonly value: string });

/** Replaces the values of some steps by null. A saved step stays one, so that its endpoint does not make it again. */
export function clearSteps(queue: QueueState, job: JobRecord, cleared: readonly Step[]): void {
  if (cleared.length === 0) return;
  for (const { number } of cleared) queue.jobs.putStep(job, number, NOTHING);
  const steps = job.steps.map((step) =>
    cleared.includes(step) ? { ...step, size: NOTHING.length } : step,
  );
  queue.jobs.write(job, { steps });
}

/** The steps of a job, and what its waits brought that are over by now. */
export function shownSteps(job: JobRecord, now: number): readonly ShownStep[] {
  const over = (job.suspension?.waits ?? []).flatMap((wait) =>
    wait.kind !== 'jobs' && isOver(wait, now, true) ? [shownWait(wait, now)] : [],
  );
  return [...job.steps, ...over];
}

/** What a suspended job still awaits; undefined for one that is not suspended, or that goes on. */
export function awaitedBy(queue: QueueState, jobId: string, now: number): Awaited | undefined {
  const found = queue.jobs.find(jobId);
  if (found?.status !== 'delayed' && found?.status !== 'waiting-children') return undefined;
  const { suspension } = queue.jobs.indexed(found);
  if (suspension === undefined) return undefined;
  const children = queue.jobs.childrenOf(found);
  const waits = awaited(suspension, now, found.status === 'waiting-children');
  const jobs = waits.flatMap((wait) =>
    wait.kind === 'jobs'
      ? wait.jobs.filter((address) => children?.waitedFor(address) !== undefined)
      : [],
  );
  return waits.length === 0 ? undefined : { waits, jobs };
}

/** Saves what the waits of a suspended job brought that are over. It goes on awaiting the others. */
function saveEndedWaits(queue: QueueState, job: JobRecord, now: number): void {
  const { suspension } = job;
  if (suspension === undefined) return;
  const over = suspension.waits.filter((wait) => isOver(wait, now, true));
  saveOver(queue, job, over, now);
  const waits = suspension.waits.filter((wait) => !over.includes(wait));
  queue.jobs.write(job, { suspension: { waits } });
}

function saveOver(queue: QueueState, job: JobRecord, waits: readonly Wait[], now: number): void {
  for (const wait of waits) {
    const { name, kind } = wait;
    if (wait.kind === 'signal' && wait.came != null) {
      queue.jobs.write(job, { steps: [...job.steps, { ...wait.came, name, kind }] });
    } else {
      const end =
        wait.kind === 'jobs'
          ? { value: valueOfJobs(queue, job, wait), at: now }
          : endOfTime(wait, now);
      saveSteps(queue, job, [{ name, kind, ...end }]);
    }
  }
}

/** When a sleep ended, and null for a signal that did not come. */
export function endOfTime(
  wait: Exclude<Wait, WaitForJobs>,
  now: number,
): Pick<StepToSave, 'value' | 'at'> {
  const at = Math.min(wait.until ?? now, now);
  return { value: wait.kind === 'sleep' ? String(at) : 'null', at };
}

/** How jobs ended that a step added, in their order. The job knows them no longer. */
function valueOfJobs(queue: QueueState, job: IndexedJob, { jobs }: WaitForJobs): string {
  const children = queue.jobs.childrenOf(job);
  const ends = jobs.map((address) => {
    const end = children?.endOf(address);
    children?.forget(address);
    const head = `{"queue":${JSON.stringify(address.queue)},"id":${JSON.stringify(address.id)}`;
    if (end === undefined) return `${head},"state":"removed"}`;
    const field = end.state === 'completed' ? 'returnvalue' : 'failedReason';
    return `${head},"state":"${end.state}","${field}":${end.text()}}`;
  });
  return `[${ends.join(',')}]`;
}

/** At least how many bytes the value of a step takes that added jobs: too much of it need not be at hand. */
function lengthOfEnds(queue: QueueState, job: IndexedJob, { jobs }: WaitForJobs): number {
  const children = queue.jobs.childrenOf(job);
  return jobs.reduce((sum, address) => sum + (children?.endOf(address)?.length ?? 0), 0);
}

function shownWait(wait: Exclude<Wait, WaitForJobs>, now: number): ShownStep {
  const { name, kind } = wait;
  if (wait.kind === 'signal' && wait.came != null) return { ...wait.came, name, kind };
  const end = endOfTime(wait, now);
  return { name, kind, size: end.value.length, ...end };
}
