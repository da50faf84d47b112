import type { QueueName } from '../queues/queue-name.ts';
import { boolean, integer, object, required, string, type Shaped } from '../values/shape.ts';
import type { LimitSettings } from './limit.ts';

/** How much of a limit is in use. Times are epoch ms. */
export interface LimitUse {
  readonly name: string;
  readonly settings: LimitSettings;
  /** How many calls count towards the concurrency. */
  readonly running: number;
  /** The queue that was asked about, and how many of the calls are its own. */
  readonly queue?: { readonly name: QueueName; readonly running: number };
  /** What the starts in the window of the limiter count; 0 without a limiter. */
  readonly started: number;
  /** When the limiter allows the next start; absent when it allows one now. */
  readonly limitedUntil?: number;
}

/** A queue that runs calls under a limit, or waits for room. */
export const queueAtLimitShape = object('QueueAtLimit', {
  queue: required(string, 'The name of the queue'),
  running: required(integer(0), 'How many of its calls run'),
  waits: required(boolean, 'Whether it has jobs that wait for room'),
});

export type QueueAtLimit = Shaped<typeof queueAtLimitShape>;

/** How many starts the limiter still allows now; null without a limiter, 0 when its window is overdrawn. */
export function startsLeft({ settings: { limiter }, started }: LimitUse): number | null {
  return limiter === undefined ? null : Math.max(0, limiter.max - started);
}

/** Why no call of a queue starts under the limit, and when that ends by itself; undefined when one may start. */
export function fullLimit({
  name,
  settings: { concurrency = Infinity, limiter },
  running,
  queue,
  started,
  limitedUntil,
}: LimitUse): { readonly until?: number; readonly detail: string } | undefined {
  if (running >= concurrency) {
    const own = queue === undefined ? '' : `, ${queue.running} of them of ${queue.name}`;
    return { detail: `${name}: ${running} of ${concurrency} run${own}` };
  }
  if (limiter === undefined || limitedUntil === undefined) return undefined;
  const { max, duration } = limiter;
  return { until: limitedUntil, detail: `${name}: ${started} of ${max} starts in ${duration} ms` };
}
