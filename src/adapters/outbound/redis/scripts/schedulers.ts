import { any, isOne, list } from './answer-check.ts';
import { number, ofQueue, ofQueues, text, type Kinds } from './script.ts';

/** A script that may plan a job. */
export type PlanningScript<Args extends Kinds> = ReturnType<typeof planningScript<Args>>;

const PLAN = { id: text, slot: text, timestamp: text, delay: text, options: text };
function planningScript<Args extends Kinds>(name: string, args: Args) {
  return ofQueue(name, { ...PLAN, ...args }, any);
}

export const planNextJob = planningScript('adds/plan-next-job', { startingId: text });
export const skipSlot = planningScript('adds/skip-slot', { jobId: text });
export const storeScheduler = planningScript('adds/store-scheduler', { most: number });
export const resumeScheduler = planningScript('adds/resume-scheduler', { pause: text });
export const pauseScheduler = ofQueue(
  'adds/pause-scheduler',
  { id: text, expected: text, following: text },
  any,
);
export const removeScheduler = ofQueue('adds/remove-scheduler', { id: text }, isOne);
export const noteRunByHand = ofQueue('adds/note-run-by-hand', { id: text, run: text });
/** The answer for one scheduler of the script that reads them; null when it does not exist. */
export type SchedulerAnswer =
  | readonly [
      id: string,
      slot: string,
      fields: readonly string[],
      /** The options of the next job; null if it has started or no longer exists. */
      planned: string | null,
      last: JobAnswer,
      runByHand: JobAnswer,
    ]
  | null;

/** Null without a job; the state is null once the job is gone. */
type JobAnswer = readonly [jobId: string, state: string | null] | null;

export const readSchedulers = ofQueue('reading/read-schedulers', {}, list<SchedulerAnswer>);

/** The position of a queue, and of each of its schedulers the id, the slot, whether it is paused, and its late start. */
export type Slots = readonly [position: number, slots: readonly (string | number)[]];
export const readSlots = ofQueues('reading/read-slots', {}, list<Slots>);
