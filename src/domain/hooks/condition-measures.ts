import type { ConditionEvent } from './hook-events.ts';
import type { HookConditions } from './hook.ts';
import type { QueueFacts } from './queue-facts.ts';

/** The part of a threshold down to which a condition that was reported lasts, so that it does not flutter. */
const LASTS_TO = 0.8;

/** How a queue stands in respect of a condition. Neither `isBeyond` nor `isOver` is true close below a threshold. */
export interface Measure {
  /** What is compared with the threshold; null where nothing is, or where it is how long the condition has lasted. */
  readonly value: number | null;
  /** Whether a condition that was not there begins. */
  readonly isBeyond: boolean;
  /** Whether a condition that was there is over. */
  readonly isOver: boolean;
  /** Since when it is so at most, epoch ms; absent if unknown. */
  readonly since?: number | undefined;
  /** When it was last interrupted, epoch ms: a condition that began before then is over. */
  readonly interruptedAt?: number | undefined;
}

/** What a condition is about. */
export interface Condition {
  readonly measure: (facts: QueueFacts, when: HookConditions) => Measure;
  readonly threshold: (when: HookConditions) => number | null;
  /** Whether the threshold is a time for which the condition has to last, before `for` begins. */
  readonly isDuration?: true;
}

const NO_THRESHOLD = (): null => null;

export const CONDITIONS: Readonly<Record<ConditionEvent, Condition>> = {
  'queue.late': {
    threshold: ({ oldestWaiting = null }) => oldestWaiting,
    measure: (facts, { oldestWaiting = 0 }) => compared(facts.oldestWaiting ?? 0, oldestWaiting),
  },
  'queue.full': {
    threshold: ({ waiting = null }) => waiting,
    measure: (facts, { waiting = 0 }) => compared(facts.waiting, waiting),
  },
  'queue.failing': {
    threshold: ({ failureRate }) => failureRate?.over ?? null,
    measure: failing,
  },
  'queue.unserved': {
    threshold: ({ noWorker = null }) => noWorker,
    isDuration: true,
    measure: ({ isUnserved, servedAt }) => lasting(isUnserved, servedAt, servedAt),
  },
  'worker.open': {
    threshold: NO_THRESHOLD,
    measure: ({ openSince }) => lasting(openSince !== undefined, openSince, openSince),
  },
  'worker.disabled': {
    threshold: NO_THRESHOLD,
    measure: ({ disabledSince }) => lasting(disabledSince !== undefined, disabledSince),
  },
};

function compared(value: number, threshold: number): Measure {
  return { value, isBeyond: value > threshold, isOver: value <= LASTS_TO * threshold };
}

function lasting(isSo: boolean, since?: number, interruptedAt?: number): Measure {
  return { value: null, isBeyond: isSo, isOver: !isSo, since, interruptedAt };
}

function failing({ ends }: QueueFacts, { failureRate }: HookConditions): Measure {
  if (failureRate === undefined) return lasting(false);
  const { over, window, atLeast } = failureRate;
  const { completed, failed } = ends(window);
  const ended = completed + failed;
  const { value, isBeyond, isOver } = compared(ended === 0 ? 0 : failed / ended, over);
  return {
    value,
    isBeyond: isBeyond && ended >= atLeast,
    isOver: isOver || ended < LASTS_TO * atLeast,
  };
}
