import { tooMany } from '../errors.ts';
import { hasEnded, newJobRecord, type JobRecord, type ListedJob } from '../records/job-record.ts';
import type { SchedulerRecord } from '../records/scheduler-record.ts';
import type { NewScheduler, RunByHand, StoredScheduler } from '../schedulers/scheduler.ts';
import {
  afterEnd,
  afterLeftOut,
  afterNextJob,
  afterResume,
  afterSkipped,
  afterStart,
  hasNextJob,
  overlaps,
  standingOf,
  type SchedulerState,
  type SlotJob,
} from '../schedulers/slot.ts';
import { replacingSlot } from '../schedulers/slots.ts';
import { latestStop, type Stop } from '../values/stop.ts';
import { without } from '../values/without.ts';
import { insert } from './places.ts';
import type { QueueState } from './queue-state.ts';
import { remove } from './removal.ts';

/* The schedulers of a queue. Each has one planned job; when that job starts, the one after it is planned. */

/**
 * Saves a scheduler, in place of one with the same id.
 *
 * @param most how many the queue may have.
 * @throws DomainError `too-many-schedulers`.
 */
export function saveScheduler(
  queue: QueueState,
  id: string,
  given: NewScheduler,
  most: number,
  now: number,
): void {
  const { schedulers, calendar } = queue;
  const before = schedulers.find(id);
  if (before === undefined && schedulers.size >= most) throw tooMany('schedulers', most);
  queue.change({ isCreated: true });
  queue.wake();
  const slot = replacingSlot(given.repeat, before && standingOf(before.state), now, calendar);
  if (slot === undefined) return;
  const { paused: isPaused, pause, overlap } = given;
  if (before !== undefined) withdraw(queue, before, now, isPaused);
  const { repeat, job } = structuredClone({
    repeat: without(given.repeat, 'immediately'),
    job: given.job,
  });
  const last = before?.state.last && { last: before.state.last };
  const skipped = before?.state.skipped && { skipped: before.state.skipped };
  const state = {
    repeat,
    overlap,
    isPaused,
    pause,
    slot,
    count: 1,
    isOver: false,
    ...last,
    ...skipped,
  };
  const runByHand = before?.runByHand;
  const { source } = given;
  schedulers.put(id, {
    ...{ id, job, state },
    ...(source && { source }),
    ...(runByHand && { runByHand }),
  });
  if (!isPaused) plan(queue, id, now);
}

/** @returns false when there is none. */
export function pauseScheduler(queue: QueueState, id: string, now: number, stop?: Stop): boolean {
  const scheduler = queue.schedulers.find(id);
  if (scheduler === undefined) return false;
  const { state } = scheduler;
  const isRunning = !state.isPaused && !withdraw(queue, scheduler, now, true);
  const paused = isRunning ? afterNextJob(state, now, queue.calendar) : state;
  become(queue, id, { ...paused, isPaused: true, pause: latestStop(state.pause, stop) });
  return true;
}

/** @returns false when there is none. */
export function resumeScheduler(queue: QueueState, id: string, now: number): boolean {
  const scheduler = queue.schedulers.find(id);
  queue.wake();
  if (scheduler === undefined) return false;
  if (!scheduler.state.isPaused) return true;
  become(queue, id, afterResume(scheduler.state, now, queue.calendar));
  plan(queue, id, now);
  return true;
}

/** @returns false when there is none. */
export function removeScheduler(queue: QueueState, id: string, now: number): boolean {
  const scheduler = queue.schedulers.find(id);
  if (scheduler === undefined) return false;
  withdraw(queue, scheduler, now, true);
  return queue.schedulers.remove(id);
}

export function noteRunByHand(
  { schedulers }: QueueState,
  id: string,
  runByHand: Omit<RunByHand, 'state'>,
): void {
  const scheduler = schedulers.find(id);
  if (scheduler !== undefined) schedulers.put(id, { ...scheduler, runByHand });
}

/** A scheduler as the API shows it. */
export function shownScheduler(
  { jobs }: QueueState,
  { id, job, state, source, runByHand }: SchedulerRecord,
): StoredScheduler {
  const { repeat, overlap, isPaused, pause, slot, count, isOver, last, skipped } = state;
  const withState = ({ at, jobId }: Omit<RunByHand, 'state'>): RunByHand => ({
    at,
    jobId,
    state: jobs.find(jobId)?.status ?? null,
  });
  return structuredClone({
    id,
    repeat,
    job,
    overlap,
    paused: isPaused,
    ...(pause && { pause }),
    ...(source && { source }),
    ...(!isOver && { planned: { slot, count } }),
    ...(last && { last: withState(last) }),
    ...(runByHand && { lastRunByHand: withState(runByHand) }),
    ...(skipped && { skipped }),
  });
}

/** Whether the job is the next one of a scheduler. */
export function isNextOfScheduler(
  { schedulers }: QueueState,
  { id, schedulerId }: ListedJob,
): boolean {
  const scheduler = schedulerId === undefined ? undefined : schedulers.find(schedulerId);
  return scheduler !== undefined && hasNextJob(scheduler.state) && nextJobIdOf(scheduler) === id;
}

/** Notes that a job of a scheduler started, and plans the one after it. */
export function startScheduled(queue: QueueState, job: JobRecord, now: number): void {
  const scheduler = schedulerOf(queue, job);
  if (scheduler === undefined) return;
  become(queue, scheduler.id, afterStart(scheduler.state, slotJobOf(queue, job), now));
  planAfter(queue, job, now);
}

/** Plans the job after this one, if it is the next one of a scheduler. */
export function planAfter(queue: QueueState, job: JobRecord, now: number): void {
  const scheduler = schedulerOf(queue, job);
  if (scheduler === undefined || !isNextOfScheduler(queue, job)) return;
  become(queue, scheduler.id, afterNextJob(scheduler.state, now, queue.calendar));
  plan(queue, scheduler.id, now);
}

/**
 * Removes the job and plans that of the slot after its own, if its scheduler skips slots and the job before it was
 * still running when its slot came. @returns whether it did.
 */
export function skipOverlapping(queue: QueueState, job: JobRecord, now: number): boolean {
  const scheduler = schedulerOf(queue, job);
  if (scheduler === undefined) return false;
  const { id, state } = scheduler;
  const slotJob = slotJobOf(queue, job);
  if (!overlaps(state, slotJob, isAnotherOpen(queue, scheduler, job))) return false;
  take(queue, job, now);
  if (!slotJob.isNext) return true;
  become(queue, id, afterLeftOut(state, now, queue.calendar));
  plan(queue, id, now);
  return true;
}

/**
 * Removes the job and plans that of the slot after its own, if the memory of the store is full: starting it would add
 * another. @returns whether it did.
 */
export function skipForMemory(queue: QueueState, job: JobRecord, now: number): boolean {
  const scheduler = schedulerOf(queue, job);
  if (scheduler === undefined || !isNextOfScheduler(queue, job) || !queue.skipsSlots())
    return false;
  take(queue, job, now);
  become(queue, scheduler.id, afterSkipped(scheduler.state, now, queue.calendar));
  plan(queue, scheduler.id, now);
  return true;
}

/** Notes that a job of a scheduler ended. */
export function endScheduled(queue: QueueState, job: JobRecord): void {
  const scheduler = schedulerOf(queue, job);
  if (scheduler === undefined || job.finishedOn === undefined) return;
  become(queue, scheduler.id, afterEnd(scheduler.state, job.id, job.finishedOn));
}

function schedulerOf(
  { schedulers }: QueueState,
  { schedulerId }: ListedJob,
): SchedulerRecord | undefined {
  return schedulerId === undefined ? undefined : schedulers.find(schedulerId);
}

function slotJobOf(queue: QueueState, job: JobRecord): SlotJob {
  return { jobId: job.id, slot: slotOf(job), isNext: isNextOfScheduler(queue, job) };
}

/** Whether the last job has not ended, or one runs that a removed scheduler with the same id made after it. */
function isAnotherOpen(
  { jobs }: QueueState,
  { id, state: { last } }: SchedulerRecord,
  job: JobRecord,
): boolean {
  const lastJob = last && jobs.find(last.jobId);
  if (lastJob !== undefined && !hasEnded(lastJob)) return true;
  return jobs.in.active
    .fromLast()
    .some((each) => each !== job && each.schedulerId === id && slotOf(each) > (last?.at ?? 0));
}

function become({ schedulers }: QueueState, id: string, state: SchedulerState): void {
  const scheduler = schedulers.find(id);
  if (scheduler !== undefined) schedulers.put(id, { ...scheduler, state });
}

/** Adds the next job: that of the first slot, from the planned one on, that has no job yet. */
function plan(queue: QueueState, id: string, now: number): void {
  const { schedulers, jobs, calendar } = queue;
  for (let next = schedulers.find(id); next?.state.isOver === false; next = schedulers.find(id)) {
    const { state, job } = next;
    const jobId = nextJobIdOf(next);
    if (jobs.find(jobId) !== undefined || state.last?.jobId === jobId) {
      become(queue, id, afterLeftOut(state, now, calendar));
      continue;
    }
    const { slot, repeat } = state;
    const opts = { ...job.opts, jobId, delay: Math.max(0, slot - now), repeat };
    const made = newJobRecord(jobId, { ...job, opts: { attempts: 0, ...opts } }, now);
    insert(queue, { ...made, schedulerId: id }, now);
    return;
  }
}

/** Removes the next job if it has not started. @param ifDelayed whether to remove it only while it is delayed. */
function withdraw(
  queue: QueueState,
  scheduler: SchedulerRecord,
  now: number,
  ifDelayed: boolean,
): boolean {
  const job = hasNextJob(scheduler.state) ? queue.jobs.find(nextJobIdOf(scheduler)) : undefined;
  if (job === undefined || (ifDelayed && job.status !== 'delayed')) return false;
  take(queue, job, now);
  return true;
}

function take(queue: QueueState, job: ListedJob, now: number): void {
  remove(queue, job, now);
  queue.note('removed', job.id, undefined, job.group?.id);
}

/** The slot that a job was made for, by its id. */
function slotOf({ id }: ListedJob): number {
  return Number(id.slice(id.lastIndexOf(':') + 1));
}

/** As BullMQ names the jobs of schedulers. */
function nextJobIdOf({ id, state: { slot } }: Pick<SchedulerRecord, 'id' | 'state'>): string {
  return `repeat:${id}:${slot}`;
}
