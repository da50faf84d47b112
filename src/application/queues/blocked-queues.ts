import {
  blockedBy,
  blockedByChild,
  blockedFor,
  hasOnlyParents,
  hasWaitingJobs,
  type Blocked,
} from '../../domain/workers/blocked.ts';
import type { QueueName } from '../../domain/queues/queue-name.ts';
import type { ViewedQueue } from './queue-view.ts';
import { standingsOf, type StandingPorts } from './standings-of.ts';

type Reasons = readonly (readonly [queue: QueueName, reason: Blocked | undefined])[];

/** Finds why no job of a queue starts although jobs wait (platform contract, section 10). */
export class BlockedQueues {
  readonly #ports: StandingPorts;

  constructor(ports: StandingPorts) {
    this.#ports = ports;
  }

  /**
   * The reason for each of the queues; undefined when jobs start or none waits. Only queues with jobs that wait are
   * examined.
   *
   * @param mayUse which queues the caller may see; all by default.
   * @throws DomainError `store-unavailable`.
   */
  async reasons(
    queues: readonly ViewedQueue[],
    mayUse?: (queue: string) => boolean,
  ): Promise<readonly (Blocked | undefined)[]> {
    const [ofWaiting, ofParents] = await Promise.all([
      this.#ofWaiting(queues.filter(({ glance }) => hasWaitingJobs(glance))),
      this.#ofParents(queues.filter(({ glance }) => hasOnlyParents(glance))),
    ]);
    const reasons = new Map([...ofWaiting, ...ofParents]);
    return queues.map(({ queue }) => {
      const reason = reasons.get(queue);
      return reason && blockedFor(reason, mayUse);
    });
  }

  async #ofWaiting(queues: readonly ViewedQueue[]): Promise<Reasons> {
    if (queues.length === 0) return [];
    const standings = await standingsOf(this.#ports, queues);
    return queues.map(({ queue, glance, worker }, index) => {
      const standing = standings[index];
      return [queue, standing && blockedBy(glance, standing, worker)];
    });
  }

  async #ofParents(queues: readonly ViewedQueue[]): Promise<Reasons> {
    if (queues.length === 0) return [];
    const names = queues.map(({ queue }) => queue);
    const failed = await this.#ports.standings.failedChildren(names);
    return names.map((queue, index) => {
      const child = failed[index];
      return [queue, child && blockedByChild(child)];
    });
  }
}
