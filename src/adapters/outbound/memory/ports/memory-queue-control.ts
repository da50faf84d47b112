/* eslint-disable @typescript-eslint/require-await -- async turns what a step throws into a rejection */
import { setImmediate } from 'node:timers/promises';
import type {
  QueueControlPort,
  QueueRemoval,
} from '../../../../application/ports/queue-control-port.ts';
import type { Deduplication } from '../../../../domain/jobs/deduplication.ts';
import { jobsIn } from '../../../../domain/jobs/job-status.ts';
import type { DrainOptions } from '../../../../domain/queues/drain-options.ts';
import type { QueueName } from '../../../../domain/queues/queue-name.ts';
import { endDeduplication, standingFor } from '../../../../domain/transitions/deduplication.ts';
import {
  endHold,
  holdQueue,
  pauseQueue,
  resumeQueue,
} from '../../../../domain/transitions/queue-control.ts';
import { drain } from '../../../../domain/transitions/drain.ts';
import { piecesOf } from '../../../../domain/values/pieces.ts';
import type { MemoryStore } from '../state/memory-store.ts';
import type { UnstartedStatus } from '../../../../domain/attempts/order.ts';

/** The most jobs removed in one turn of the event loop. */
const JOBS_PER_TURN = 1000;

/** Whole queues in the memory of this process. */
export class MemoryQueueControl implements QueueControlPort {
  readonly #store: MemoryStore;

  constructor(store: MemoryStore) {
    this.#store = store;
  }

  async pause(name: QueueName): Promise<void> {
    this.#store.step(name, (queue) => {
      pauseQueue(queue);
    });
  }

  async resume(name: QueueName): Promise<void> {
    this.#store.stepIfAny(name, (queue) => {
      resumeQueue(queue);
    });
  }

  async hold(name: QueueName, duration: number): Promise<number> {
    return this.#store.step(name, (queue, now) => holdQueue(queue, duration, 'caller', now));
  }

  async endHold(name: QueueName): Promise<boolean> {
    const queue = this.#store.find(name);
    if (queue?.record.isCreated !== true) return false;
    endHold(queue);
    return true;
  }

  /** One step: jobs that are added later go to a new queue. */
  async remove(name: QueueName, isForced: boolean): Promise<QueueRemoval> {
    const queue = this.#store.find(name);
    if (queue?.record.isCreated !== true) return { kind: 'missing' };
    const counts = queue.jobs.listed.counts();
    if (counts.active > 0 && !isForced) return { kind: 'active' };
    this.#store.remove(name);
    return { kind: 'removed', jobs: jobsIn(counts), schedulers: queue.schedulers.size };
  }

  /** Yields to the event loop after each piece. Jobs added in the meantime stay. */
  async drain(name: QueueName, { delayed = false }: DrainOptions): Promise<number> {
    const queue = this.#store.find(name);
    if (queue === undefined) return 0;
    const statuses: UnstartedStatus[] = ['waiting', 'prioritized'];
    if (delayed) statuses.push('delayed');
    let removed = 0;
    for (const status of statuses) {
      for (const jobs of piecesOf(queue.jobs.listed.inOrderOfRemovalIn(status), JOBS_PER_TURN)) {
        removed += this.#store.run((now) => drain(queue, jobs, status, now));
        await setImmediate();
      }
    }
    return removed;
  }

  async deduplication(name: QueueName, id: string): Promise<Deduplication | undefined> {
    return this.#store.stepIfAny(name, (queue, now) => {
      const standing = standingFor(queue, id, now);
      if (standing === undefined) return undefined;
      const { jobId, endsAt } = standing;
      return { id, jobId, ttl: endsAt === undefined ? null : endsAt - now };
    });
  }

  async endDeduplication(name: QueueName, id: string): Promise<boolean> {
    return this.#store.stepIfAny(name, (queue, now) => endDeduplication(queue, id, now)) ?? false;
  }
}
