import type { EndingCalls, Gate } from '../attempts/gate.ts';
import type { Stop } from '../values/stop.ts';

/** The calls with several jobs that run, by their ids, each remembered for a limited time. */
export type RunningCalls = ReadonlyMap<string, { readonly size: number; readonly until: number }>;

/** A queue as such. Times are epoch ms. */
export interface QueueRecord extends Pick<Gate, 'isPaused' | 'hold' | 'breaker'> {
  /** Whether it exists: a claim alone does not create it. */
  readonly isCreated: boolean;
  /** Who paused it; absent unless it is paused, and for a pause of an earlier version. */
  readonly pause?: Stop | undefined;
  /** Whether clients have pulled jobs from it, some of which may still be active. */
  readonly isPulled: boolean;
  /** When a client last claimed jobs, as far as it was noted. */
  readonly claimedAt: number | undefined;
  /** When the next stalled check counts. */
  readonly stalledCheckAt: number;
  /** The calls of cancelled jobs that still count. */
  readonly endingCalls: EndingCalls;
  readonly calls: RunningCalls;
  /** The last number that a job got. */
  readonly lastId: number;
  /** Whether it has had jobs whose starts count other than 1; never unless given. */
  readonly hasCosts?: true | undefined;
  /** How many jobs were taken. */
  readonly starts: number;
  /** Of the queue of a hook, once too many messages waited, until few enough do. */
  readonly isFull?: true | undefined;
  /** How many calls that follow its jobs wait, those being made included; none unless given. */
  readonly callbacks?: number | undefined;
}
