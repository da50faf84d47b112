import { object, required, time, oneOf, type Shaped } from '../values/shape.ts';
import type { Stop } from '../values/stop.ts';
import { without } from '../values/without.ts';
import type { Overlap, Repeat } from './scheduler.ts';
import { resumedSlot, slotAfter, type Calendar, type Standing } from './slots.ts';

/** The progress of a scheduler. Times are epoch ms. */
export interface SchedulerState {
  readonly repeat: Repeat;
  readonly overlap: Overlap;
  readonly isPaused: boolean;
  /** Who paused it; absent unless it is paused, and for a pause of an earlier version. */
  readonly pause?: Stop | undefined;
  /** The slot of the next job, or of the last job if no further one follows. While paused, no next job exists. */
  readonly slot: number;
  /** The number of that job, from 1. */
  readonly count: number;
  /** Whether no further job follows. */
  readonly isOver: boolean;
  readonly last?: StartedJob;
  readonly late?: LateStart;
  readonly skipped?: SkippedSlot;
}

/** The latest slot that made no job since the store had no room for it (platform contract, section 15). */
export const skippedSlotShape = object('SkippedSlot', {
  at: required(time, 'The slot, in milliseconds since 1970'),
  reason: required(oneOf('memory'), 'Why it made no job'),
});

export type SkippedSlot = Shaped<typeof skippedSlotShape>;

/** The most recently started job of a scheduler. */
export interface StartedJob {
  readonly jobId: string;
  /** Its slot. */
  readonly at: number;
  readonly endedAt?: number;
}

/** The latest start of a job of a scheduler that came more than LATE after its slot. Times are epoch ms. */
export interface LateStart {
  readonly slot: number;
  readonly startedAt: number;
}

/** How long (ms) after its slot a job starts late. */
export const LATE = 1000;

/** A job of a scheduler: `isNext` until it starts, unless the scheduler was paused or replaced in the meantime. */
export interface SlotJob {
  readonly jobId: string;
  readonly slot: number;
  readonly isNext: boolean;
}

/** Whether a next job is planned. */
export function hasNextJob({ isOver, isPaused }: SchedulerState): boolean {
  return !isOver && !isPaused;
}

/** The state of the scheduler that a replacement continues from. */
export function standingOf({ repeat, slot, isOver, isPaused, last }: SchedulerState): Standing {
  return { repeat, slot, hasStarted: isOver, isPaused, lastSlot: last?.at };
}

/** @param now epoch ms. @returns the scheduler after something of its next slot became known. */
type Advance = (state: SchedulerState, now: number, calendar: Calendar) => SchedulerState;

/** The scheduler after its next job started or was cancelled: it is over once its limit or end date is reached. */
export const afterNextJob: Advance = (state, now, calendar) => {
  const { repeat, isOver, count } = state;
  const slot = slotAfter(repeat, state.slot, now, calendar);
  if (isOver || slot === undefined || count >= (repeat.limit ?? Infinity)) {
    return { ...state, isOver: true };
  }
  return { ...state, slot, count: count + 1 };
};

/** The scheduler after it skipped a slot, which makes no job and does not count towards its limit. */
export const afterLeftOut: Advance = (state, now, calendar) => {
  const slot = slotAfter(state.repeat, state.slot, now, calendar);
  return slot === undefined ? { ...state, isOver: true } : { ...state, slot };
};

/** The scheduler after it skipped a slot since the memory of the store is full. */
export const afterSkipped: Advance = (state, now, calendar) => ({
  ...afterLeftOut(state, now, calendar),
  skipped: { at: state.slot, reason: 'memory' },
});

/** The scheduler after it was resumed: the slots in the meantime are skipped. */
export const afterResume: Advance = (state, now, calendar) => {
  const resumed = { ...without(state, 'pause'), isPaused: false };
  if (state.isOver) return resumed;
  const slot = resumedSlot(state.repeat, state.slot, now, calendar);
  return slot === undefined ? { ...resumed, isOver: true } : { ...resumed, slot };
};

/** The scheduler after one of its jobs started. A retried job does not become its last one again. */
export function afterStart(state: SchedulerState, job: SlotJob, now: number): SchedulerState {
  if (!isNewTo(state, job)) return state;
  const { jobId, slot } = job;
  const late = now - slot > LATE && { late: { slot, startedAt: now } };
  return { ...state, last: { jobId, at: slot }, ...late };
}

/** The scheduler after one of its jobs ended, at `endedAt`. */
export function afterEnd(state: SchedulerState, jobId: string, endedAt: number): SchedulerState {
  const { last } = state;
  return last?.jobId === jobId ? { ...state, last: { ...last, endedAt } } : state;
}

/**
 * Whether a job must not start, because its scheduler skips overlapping slots and the previous job had not ended by the
 * slot of this one.
 *
 * @param isAnotherOpen whether the last job exists and has not ended, or a later one is running.
 */
export function overlaps(state: SchedulerState, job: SlotJob, isAnotherOpen: boolean): boolean {
  const { overlap, last } = state;
  if (overlap !== 'skip' || !isNewTo(state, job)) return false;
  return isAnotherOpen || (last?.endedAt !== undefined && last.endedAt > job.slot);
}

/** Whether the job never started. */
function isNewTo({ last }: SchedulerState, { jobId, slot, isNext }: SlotJob): boolean {
  if (last === undefined) return true;
  return last.jobId !== jobId && (isNext || slot > last.at);
}
