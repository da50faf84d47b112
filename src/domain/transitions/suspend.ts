import { queueFull } from '../errors.ts';
import type { JobAddress } from '../flows/flow.ts';
import type { QueueName } from '../queues/queue-name.ts';
import { newJobRecord, optionsOf, type JobRecord } from '../records/job-record.ts';
import { excessOf } from '../steps/step.ts';
import type { AddedByStep } from '../steps/suspend-answer.ts';
import { latestEnd, NEVER, type Wait } from '../steps/suspension.ts';
import type { SuspensionRefusal, SuspensionRequest } from '../steps/suspension-request.ts';
import { waitingJobs } from './add.ts';
import { delayGroup } from './groups/blocking.ts';
import { enqueueAhead, insert, moveTo, putBack, waitForChildren } from './places.ts';
import type { QueueState } from './queue-state.ts';
import { saveSteps, type StepToSave } from './steps.ts';
import { sizeInBytes } from '../values/text.ts';

/** How often a job is suspended at most, unless it says otherwise. */
export const MOST_SUSPENSIONS = 1000;

/** How many jobs of a queue wait for one signal at most. */
export const MOST_WAITING_FOR_SIGNAL = 100_000;

/**
 * Saves the steps of an answer and suspends the job that an attempt held, or changes nothing (further contract, section
 * 22). The attempt has been recorded, and holds the job no longer.
 */
export function suspend(
  queue: QueueState,
  job: JobRecord,
  request: SuspensionRequest,
  now: number,
): void {
  const { jobs } = queue;
  const { saved, waits } = partsOf(queue, job, request, now);
  saveSteps(queue, job, saved);
  jobs.write(job, { suspensions: job.suspensions + 1, deferrals: 0, suspension: { waits } });
  if (waits.length === 0) {
    if (job.group === undefined && job.priority === 0) enqueueAhead(queue, job);
    else putBack(queue, job);
    return;
  }
  const awaited = waits.map(({ name }) => name);
  const until = latestEnd(waits);
  if (waits.some(({ kind }) => kind === 'jobs')) {
    addChildren(queue, job, request, awaited, now);
    jobs.write(job, { delay: 0 });
    waitForChildren(queue, job);
  } else {
    moveTo(queue, job, Math.max(until ?? NEVER, now), now);
    if (until === undefined) jobs.write(job, { delay: 0 });
  }
  delayGroup(queue, job);
  if (waits.length > 0) {
    queue.note('suspended', job.id, JSON.stringify({ steps: awaited, until: until ?? null }));
  }
}

/** Why the job cannot be suspended so; undefined when it can. */
export function refusalToSuspend(
  queue: QueueState,
  job: JobRecord,
  request: SuspensionRequest,
  now: number,
): SuspensionRefusal | undefined {
  const { maxCalls = MOST_SUSPENSIONS } = optionsOf(job);
  if (job.suspensions >= maxCalls) return final(`Suspended ${maxCalls} times`);
  const { saved, waits } = partsOf(queue, job, request, now);
  if (saved.length + waits.length === 0) {
    return { reason: '206 names no new step', isFinal: false };
  }
  const sized = saved.map(({ name, value }) => ({ name, size: sizeInBytes(value) }));
  const excess = excessOf([...job.steps, ...sized]);
  if (excess !== undefined) return final(excess);
  const crowded = waits.find(
    (wait) =>
      wait.kind === 'signal' && queue.jobs.countWaitingFor(wait.key) >= MOST_WAITING_FOR_SIGNAL,
  );
  if (crowded?.kind === 'signal') {
    return {
      reason: `${MOST_WAITING_FOR_SIGNAL} jobs wait for the signal ${crowded.key}`,
      isFinal: false,
    };
  }
  return refusalToAdd(queue, request, new Set(waits.map(({ name }) => name)));
}

function final(reason: string): SuspensionRefusal {
  return { reason, isFinal: true };
}

function refusalToAdd(
  queue: QueueState,
  { added, maxWaiting }: SuspensionRequest,
  awaited: ReadonlySet<string>,
): SuspensionRefusal | undefined {
  const starting = new Map<QueueName, number>();
  for (const { name, jobs } of added) {
    for (const { queue: to, job } of jobs) {
      if (awaited.has(name) && job.opts.delay === 0) starting.set(to, (starting.get(to) ?? 0) + 1);
    }
  }
  for (const [name, count] of starting) {
    const [most, other] = [maxWaiting.get(name), queue.other(name)];
    if (most === undefined) continue;
    const waiting = other === undefined ? 0 : waitingJobs(other);
    if (waiting + count > most) return { reason: queueFull(most).message, isFinal: false };
  }
  return undefined;
}

/** What is over at once, and the waits for the rest. Names that are there are left out. */
function partsOf(
  queue: QueueState,
  job: JobRecord,
  { steps, sleeps, signals, added, id }: SuspensionRequest,
  now: number,
): { readonly saved: readonly StepToSave[]; readonly waits: readonly Wait[] } {
  const known = new Set(job.steps.map(({ name }) => name));
  const isNew = ({ name }: { readonly name: string }): boolean => {
    const isFirst = !known.has(name);
    known.add(name);
    return isFirst;
  };
  const start = job.attemptsStarted;
  const saved: StepToSave[] = steps
    .filter(isNew)
    .map((step) => ({ ...step, kind: 'value', at: now, start }));
  const waits: Wait[] = sleeps
    .filter(isNew)
    .map(({ name, duration }) => ({ name, kind: 'sleep', until: now + duration }));
  for (const { name, key, timeout } of signals.filter(isNew)) {
    const value = queue.signals.body(key, now);
    if (value !== undefined) saved.push({ name, value, kind: 'signal', at: now });
    else {
      const until = timeout === undefined ? undefined : now + timeout;
      waits.push({ name, kind: 'signal', key, ...(until !== undefined && { until }) });
    }
  }
  let position = 0;
  for (const { name, jobs } of added.filter(isNew)) {
    if (jobs.length === 0) saved.push({ name, value: '[]', kind: 'jobs', at: now });
    else {
      const addresses = jobs.map((each) => addressOf(each, id, (position += 1)));
      waits.push({ name, kind: 'jobs', jobs: addresses });
    }
  }
  return { saved, waits };
}

function addressOf({ queue }: AddedByStep, id: string, position: number): JobAddress {
  return { queue, id: `${id}-${position}` };
}

function addChildren(
  queue: QueueState,
  job: JobRecord,
  { added, id }: SuspensionRequest,
  awaited: readonly string[],
  now: number,
): void {
  const children: JobAddress[] = [];
  let position = 0;
  for (const { name, jobs } of added) {
    if (!awaited.includes(name)) continue;
    for (const { queue: to, job: given } of jobs) {
      const child = addressOf({ queue: to, job: given }, id, (position += 1));
      const opts = { ...given.opts, ignoreDependencyOnFailure: true };
      const other = queue.opened(to);
      const parent = { queue: queue.name, id: job.id, onFailure: 'ignore' } as const;
      const record = newJobRecord(child.id, { ...given, opts }, now);
      other.change({ isCreated: true, lastId: other.record.lastId + 1 });
      insert(other, Object.assign(record, { parent }), now);
      other.wake();
      children.push(child);
    }
  }
  queue.jobs.addChildren(job, children);
}
