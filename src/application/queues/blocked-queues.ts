import {
  blockedBy,
  hasWaitingJobs,
  type Blocked,
  type WaitingQueue,
} from '../../domain/workers/blocked.ts';
import type { QueueName } from '../../domain/queues/queue-name.ts';
import type { Worker } from '../../domain/workers/worker.ts';
import type { QueueStandingPort } from '../ports/queue-standing-port.ts';

/** A queue that exists, and its worker, if it has one. */
export interface ServedQueue {
  readonly queue: QueueName;
  readonly glance: WaitingQueue;
  readonly worker: Worker | undefined;
}

/** Finds why nothing of queues starts although jobs wait (platform contract, section 10). */
export class BlockedQueues {
  readonly #standings: QueueStandingPort;

  constructor(standings: QueueStandingPort) {
    this.#standings = standings;
  }

  /**
   * The reason for each of the queues; undefined where jobs start or none waits. Only queues with such jobs are looked at.
   *
   * @throws DomainError `store-unavailable`.
   */
  async reasons(queues: readonly ServedQueue[]): Promise<readonly (Blocked | undefined)[]> {
    const waiting = queues.filter(({ glance }) => hasWaitingJobs(glance));
    if (waiting.length === 0) return queues.map(() => undefined);
    const standings = await this.#standings.standings(
      waiting.map(({ queue, worker }) => ({ queue, limiter: worker?.opts?.limiter })),
    );
    const reasons = new Map(
      waiting.map(({ queue, glance, worker }, index) => {
        const standing = standings[index];
        return [queue, standing && blockedBy(glance, standing, worker)] as const;
      }),
    );
    return queues.map(({ queue }) => reasons.get(queue));
  }
}
