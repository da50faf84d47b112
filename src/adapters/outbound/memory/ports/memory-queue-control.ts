/* eslint-disable @typescript-eslint/require-await -- async turns what a step throws into a rejection */
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
import { discard } from '../../../../domain/transitions/removal.ts';
import { piecesOf } from '../../../../domain/values/pieces.ts';
import { inSteps } from '../../../../application/running/in-steps.ts';
import { onceChanged } from '../../../../application/running/once-changed.ts';
import type { StoredJob } from '../state/stored-job.ts';
import type { MemoryStore } from '../state/memory-store.ts';
import type { StoredQueue } from '../state/stored-queue.ts';
import { MOST_IN_PIECE, MOST_IN_SMALL, Steps } from './steps.ts';
import type { UnstartedStatus } from '../../../../domain/attempts/order.ts';

/** The outcome of a removal, and the jobs that are left to be removed. */
interface BegunRemoval {
  readonly removal: QueueRemoval;
  readonly ids: readonly string[];
}

/** Whole queues in the memory of this process. */
export class MemoryQueueControl implements QueueControlPort {
  readonly #store: MemoryStore;
  readonly #steps: Steps;

  constructor(store: MemoryStore, steps = new Steps()) {
    this.#store = store;
    this.#steps = steps;
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

  /** Jobs that are added after the last step go to a new queue. */
  async remove(name: QueueName, isForced: boolean): Promise<QueueRemoval> {
    const { removal, ids } = await this.#steps.small(() => this.#beginRemoval(name, isForced));
    if (ids.length === 0 || removal.kind !== 'removed') return removal;
    return { ...removal, jobs: await onceChanged(this.#removeInPieces(name, ids)) };
  }

  /** @returns how many jobs were there. */
  async #removeInPieces(name: QueueName, ids: readonly string[]): Promise<number> {
    let jobs = 0;
    for (const some of piecesOf(ids, MOST_IN_PIECE.jobs)) {
      jobs += await this.#steps.piece(() => this.#discard(name, some));
    }
    const left = await this.#steps.piece(() => {
      const { length } = this.#store.peek(name).jobs.inOrderOfRemoval;
      this.#store.remove(name);
      return length;
    });
    return jobs + left;
  }

  /** @returns how many of the jobs were there. */
  #discard(name: QueueName, ids: readonly string[]): number {
    const discarded = this.#store.stepIfAny(name, (queue, now) => {
      const jobs = jobsOf(queue, ids);
      for (const job of jobs) discard(queue, job, now);
      return jobs.length;
    });
    return discarded ?? 0;
  }

  /** @returns the jobs that are to be removed in pieces, of a queue that is paused from now on; none of a small one. */
  #beginRemoval(name: QueueName, isForced: boolean): BegunRemoval {
    const queue = this.#store.find(name);
    if (queue?.record.isCreated !== true) return { removal: { kind: 'missing' }, ids: [] };
    const counts = queue.jobs.listed.counts();
    if (counts.active > 0 && !isForced) return { removal: { kind: 'active' }, ids: [] };
    const { size: schedulers } = queue.schedulers;
    const removal = { kind: 'removed', jobs: jobsIn(counts), schedulers } as const;
    const ids = queue.jobs.inOrderOfRemoval.map(({ id }) => id);
    if (ids.length > MOST_IN_SMALL.jobs) {
      pauseQueue(queue);
      return { removal, ids };
    }
    this.#store.remove(name);
    return { removal, ids: [] };
  }

  /** Jobs added in the meantime stay. */
  drain(name: QueueName, { delayed = false }: DrainOptions): Promise<number> {
    const statuses: UnstartedStatus[] = ['waiting', 'prioritized'];
    if (delayed) statuses.push('delayed');
    return inSteps(async (changed) => {
      let removed = 0;
      for (const status of statuses) {
        const ids = await this.#steps.small(() => this.#idsIn(name, status));
        for (const some of piecesOf(ids, MOST_IN_PIECE.jobs)) {
          const step = (): number =>
            this.#store.stepIfAny(name, (queue, now) =>
              drain(queue, jobsOf(queue, some), status, now),
            ) ?? 0;
          const isSmall = ids.length <= MOST_IN_SMALL.jobs;
          removed += await (isSmall ? this.#steps.small(step) : this.#steps.piece(step));
          if (removed > 0) changed();
        }
      }
      return removed;
    });
  }

  #idsIn(name: QueueName, status: UnstartedStatus): readonly string[] {
    const jobs = this.#store.find(name)?.jobs.listed.inOrderOfRemovalIn(status) ?? [];
    return jobs.map(({ id }) => id);
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

/** The jobs of these ids that are still there. */
function jobsOf({ jobs }: StoredQueue, ids: readonly string[]): readonly StoredJob[] {
  return ids.flatMap((id) => jobs.find(id) ?? []);
}
