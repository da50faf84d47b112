import type { RecentFailures } from '../figures/recent-failures.ts';
import type { Failures } from '../jobs/failures.ts';
import type { InQueue } from './in-queue.ts';
import { operation } from './operation.ts';

interface OfQueue extends InQueue {
  /** How many of the latest failed jobs to examine at most. */
  readonly window: number;
}

interface Recent {
  /** How far back (ms) to look. */
  readonly window: number;
  /** How many causes to return at most. */
  readonly length: number;
}

/** Why jobs failed. */
export function failureOperations(failures: Failures, recentFailures: RecentFailures) {
  return {
    read: operation({
      id: 'readFailures',
      access: 'read',
      perform: ({ queue, window }: OfQueue) => failures.report(queue, window),
    }),
    readRecent: operation({
      id: 'readRecentFailures',
      access: 'read',
      perform: ({ window, length }: Recent, { caller }) =>
        recentFailures.report(window, length, caller.mayUse),
    }),
  };
}

export type FailureOperations = ReturnType<typeof failureOperations>;
