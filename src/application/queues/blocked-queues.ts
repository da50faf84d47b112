import { blockedBy, hasWaitingJobs, type Blocked } from '../../domain/workers/blocked.ts';
import type { QueueStandingPort } from '../ports/queue-standing-port.ts';
import type { ViewedQueue } from './queue-view.ts';

/** Finds why no job of a queue starts although jobs wait (platform contract, section 10). */
export class BlockedQueues {
  readonly #standings: QueueStandingPort;

  constructor(standings: QueueStandingPort) {
    this.#standings = standings;
  }

  /**
   * The reason for each of the queues; undefined when jobs start or none waits. Only queues with waiting jobs are
   * examined.
   *
   * @throws DomainError `store-unavailable`.
   */
  async reasons(queues: readonly ViewedQueue[]): Promise<readonly (Blocked | undefined)[]> {
    const waiting = queues.filter(({ glance }) => hasWaitingJobs(glance));
    if (waiting.length === 0) return queues.map(() => undefined);
    const standings = await this.#standings.standings(
      waiting.map(({ queue, worker }) => ({
        queue,
        limiter: worker?.opts?.limiter,
        hasBatches: worker?.opts?.batch !== undefined,
      })),
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
