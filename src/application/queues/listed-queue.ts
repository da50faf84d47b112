import type { StateCounts } from '../../domain/jobs/job-status.ts';
import type { QueueName } from '../../domain/queues/queue-name.ts';
import { waitingAge } from '../../domain/queues/waiting-age.ts';
import type { ViewedQueue } from './queue-view.ts';

/** A queue in a list. */
export interface ListedQueue {
  readonly name: QueueName;
  readonly paused: boolean;
  readonly counts: StateCounts;
  /** How long ago (ms) the oldest waiting or prioritized job could have started. */
  readonly oldestWaiting: number | null;
  /** The URL of the worker's endpoint. */
  readonly worker: string | null;
}

export function listedQueue({ queue, glance, worker }: ViewedQueue, now: number): ListedQueue {
  return {
    name: queue,
    paused: glance.isPaused,
    counts: glance.counts,
    oldestWaiting: waitingAge(glance.waitingSince, now),
    worker: worker?.endpoint.url ?? null,
  };
}
