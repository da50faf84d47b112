import { integer, required, type Members } from '../values/shape.ts';
import { isPulledSince } from './pulled-since.ts';
import type { WindowState } from './window.ts';

/** How many jobs one process of a worker runs, unless a reader of the demand says otherwise. */
export const DEFAULT_PER_WORKER = 10;

/** How many jobs one process of a worker may be said to run. */
export const perWorkerShape = integer(1, 1_000_000);

/** How many patterns choose the queues whose demand is wanted together: each is compared with all names. */
export const MOST_DEMAND_PATTERNS = 10;

const count = integer(0);

/**
 * The jobs for which a queue wants workers (reach contract, section 19). Those that run count, so that no busy worker is
 * taken away.
 */
export const demandFields = {
  demand: required(count, 'How many jobs want workers: `waiting`, `due` and `active` together'),
  waiting: required(count, 'How many of the waiting jobs could start now'),
  due: required(count, 'How many delayed jobs are due and could start now'),
  active: required(count, 'How many jobs run'),
  oldest: required(
    count,
    'For how many milliseconds the oldest job that could start could have; 0 without one',
  ),
};
export type Demand = Members<typeof demandFields>;

/** What a store knows of the demand of a queue. Times are epoch ms. */
export interface DemandFacts {
  readonly now: number;
  readonly active: number;
  /** The waiting jobs, prioritized ones among them, and those of them that the limits of their groups keep from starting. */
  readonly waiting: number;
  readonly waitingBehindLimits: number;
  /** The delayed jobs that are due, and those of them that the limits of their groups keep from starting. */
  readonly due: number;
  readonly dueBehindLimits: number;
  /** Since when the oldest job that limits of groups do not keep from starting could start; absent without one. */
  readonly startableSince?: number;
  readonly isPaused: boolean;
  readonly isHeld: boolean;
  /** Since when the breaker is open; absent unless it is. */
  readonly openSince?: number;
  /** When a client that pulls jobs last claimed some; absent unless the breaker is open, and after CLAIMED_FOR. */
  readonly claimedAt?: number;
}

/** What replicas know of it besides. */
export interface DemandTerms {
  /** Whether the queue has a worker with a breaker. */
  readonly hasBreaker: boolean;
  /** Undefined for a queue without a window. */
  readonly window: WindowState | undefined;
}

/**
 * The demand of a queue. Whatever a further worker could not change keeps jobs from counting: a pause, a hold, a closed
 * window, an open breaker, a limit of a group. What bounds the queue as a whole does not: its limiter, its concurrency,
 * and that its worker is disabled.
 */
export function demandOf(facts: DemandFacts, terms: DemandTerms): Demand {
  const { active, startableSince, now } = facts;
  if (mayNoneStart(facts, terms)) return { demand: active, waiting: 0, due: 0, active, oldest: 0 };
  const waiting = Math.max(0, facts.waiting - facts.waitingBehindLimits);
  const due = Math.max(0, facts.due - facts.dueBehindLimits);
  const hasOldest = waiting + due > 0 && startableSince !== undefined;
  const oldest = hasOldest ? Math.max(0, Math.floor(now - startableSince)) : 0;
  return { demand: waiting + due + active, waiting, due, active, oldest };
}

export const NO_DEMAND: Demand = { demand: 0, waiting: 0, due: 0, active: 0, oldest: 0 };

/** The demand of several queues together. */
export function totalDemand(demands: Iterable<Demand>): Demand {
  let { demand, waiting, due, active, oldest } = NO_DEMAND;
  for (const each of demands) {
    demand += each.demand;
    waiting += each.waiting;
    due += each.due;
    active += each.active;
    oldest = Math.max(oldest, each.oldest);
  }
  return { demand, waiting, due, active, oldest };
}

/** How many processes of workers a demand wants, where each runs `perWorker` jobs. */
export function workersWanted({ demand }: Demand, perWorker: number): number {
  return Math.ceil(demand / perWorker);
}

function mayNoneStart(facts: DemandFacts, { hasBreaker, window }: DemandTerms): boolean {
  const { isPaused, isHeld, openSince, claimedAt } = facts;
  if (isPaused || isHeld || window?.open === false) return true;
  return hasBreaker && openSince !== undefined && !isPulledSince(claimedAt, openSince);
}
