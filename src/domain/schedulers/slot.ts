import type { Overlap, Repeat } from './scheduler.ts';
import { resumedSlot, slotAfter, type Calendar, type Standing } from './slots.ts';

/** How far a scheduler has come. Times are epoch ms. */
export interface SchedulerState {
  readonly repeat: Repeat;
  readonly overlap: Overlap;
  readonly isPaused: boolean;
  /** That of the next job, or of the last one that there is. While it is paused there is no such job. */
  readonly slot: number;
  /** The number of that job, from 1. */
  readonly count: number;
  /** Whether no further job comes. */
  readonly isOver: boolean;
  readonly last?: StartedJob;
}

/** The job of a scheduler that started last. */
export interface StartedJob {
  readonly jobId: string;
  /** Its slot. */
  readonly at: number;
  readonly endedAt?: number;
}

/** A job of a scheduler: `isNext` until it starts, unless the scheduler was paused or replaced meanwhile. */
export interface SlotJob {
  readonly jobId: string;
  readonly slot: number;
  readonly isNext: boolean;
}

/** Whether a next job is planned. */
export function hasNextJob({ isOver, isPaused }: SchedulerState): boolean {
  return !isOver && !isPaused;
}

/** The scheduler as one that takes its place finds it. */
export function standingOf({ repeat, slot, isOver, isPaused, last }: SchedulerState): Standing {
  return { repeat, slot, hasStarted: isOver, isPaused, lastSlot: last?.at };
}

/** The scheduler after its next job has started or was cancelled: it is over where its limit or its times end. */
export function afterNextJob(
  state: SchedulerState,
  now: number,
  calendar: Calendar,
): SchedulerState {
  const { repeat, isOver, count } = state;
  const slot = slotAfter(repeat, state.slot, now, calendar);
  if (isOver || slot === undefined || count >= (repeat.limit ?? Infinity)) {
    return { ...state, isOver: true };
  }
  return { ...state, slot, count: count + 1 };
}

/** The scheduler after it left out a slot, which makes no job and does not count for its limit. */
export function afterLeftOut(
  state: SchedulerState,
  now: number,
  calendar: Calendar,
): SchedulerState {
  const slot = slotAfter(state.repeat, state.slot, now, calendar);
  return slot === undefined ? { ...state, isOver: true } : { ...state, slot };
}

/** The scheduler after it was resumed: the slots that came meanwhile are left out. */
export function afterResume(
  state: SchedulerState,
  now: number,
  calendar: Calendar,
): SchedulerState {
  const resumed = { ...state, isPaused: false };
  if (state.isOver) return resumed;
  const slot = resumedSlot(state.repeat, state.slot, now, calendar);
  return slot === undefined ? { ...resumed, isOver: true } : { ...resumed, slot };
}

/** The scheduler after a job of it started. A job that is retried is not its last one again. */
export function afterStart(state: SchedulerState, job: SlotJob): SchedulerState {
  const { jobId, slot: at } = job;
  return isNewTo(state, job) ? { ...state, last: { jobId, at } } : state;
}

/** The scheduler after a job of it ended, at `endedAt`. */
export function afterEnd(state: SchedulerState, jobId: string, endedAt: number): SchedulerState {
  const { last } = state;
  return last?.jobId === jobId ? { ...state, last: { ...last, endedAt } } : state;
}

/**
 * Whether a job must not start, since its scheduler skips slots and the job before it had not ended when its slot came.
 *
 * @param isLastRunning whether that job exists and has not ended.
 */
export function overlaps(state: SchedulerState, job: SlotJob, isLastRunning: boolean): boolean {
  const { overlap, last } = state;
  if (overlap !== 'skip' || last === undefined || !isNewTo(state, job)) return false;
  return isLastRunning || (last.endedAt !== undefined && last.endedAt > job.slot);
}

/** Whether the job never started. */
function isNewTo({ last }: SchedulerState, { jobId, slot, isNext }: SlotJob): boolean {
  if (last === undefined) return true;
  return last.jobId !== jobId && (isNext || slot > last.at);
}
