import type {
  QueueControlPort,
  QueueRemoval,
} from '../../../../application/ports/queue-control-port.ts';
import { jobsIn } from '../../../../domain/jobs/job-status.ts';
import type { QueueName } from '../../../../domain/queues/queue-name.ts';
import { endDeduplication, standingFor } from '../../../../domain/transitions/deduplication.ts';
import {
  endHold,
  holdQueue,
  pauseQueue,
  resumeQueue,
} from '../../../../domain/transitions/queue-control.ts';
import { drain } from '../../../../domain/transitions/drain.ts';
import { discard, MOST_REMOVED, recordsOf } from '../../../../domain/transitions/removal.ts';
import { boundedPieces } from '../../../../domain/values/pieces.ts';
import { inSteps } from '../../../../application/running/in-steps.ts';
import { onceChanged } from '../../../../application/running/once-changed.ts';
import type { StoredJob } from '../state/stored-job.ts';
import type { MemoryStore } from '../state/memory-store.ts';
import type { StoredQueue } from '../state/stored-queue.ts';
import { QueueSteps } from './queue-steps.ts';
import { isSmallRemoval } from './removal-size.ts';
import { Steps } from './steps.ts';
import type { UnstartedStatus } from '../../../../domain/attempts/order.ts';

/** The outcome of a removal, and the ids of the jobs that are left to be removed, in the pieces in which they go. */
interface BegunRemoval {
  readonly removal: QueueRemoval;
  readonly pieces: Pieces;
}

type Pieces = readonly (readonly string[])[];

/** Whole queues in the memory of this process. */
export function memoryQueueControl(store: MemoryStore, large = new Steps()): QueueControlPort {
  const steps = new QueueSteps(store);
  /** @returns the jobs that are to be removed in pieces, of a queue that is paused from now on; none of a small one. */
  const beginRemoval = (name: QueueName, isForced: boolean): BegunRemoval => {
    const queue = store.find(name);
    if (queue?.record.isCreated !== true) return { removal: { kind: 'missing' }, pieces: [] };
    const counts = queue.jobs.listed.counts();
    if (counts.active > 0 && !isForced) return { removal: { kind: 'active' }, pieces: [] };
    const { size: schedulers } = queue.schedulers;
    const removal = { kind: 'removed', jobs: jobsIn(counts), schedulers } as const;
    const jobs = queue.jobs.inOrderOfRemoval;
    if (!isSmallRemoval(jobs)) {
      pauseQueue(queue);
      return { removal, pieces: removalPieces(jobs) };
    }
    store.remove(name);
    return { removal, pieces: [] };
  };
  /** @returns how many jobs were there. */
  const removeInPieces = async (name: QueueName, pieces: Pieces): Promise<number> => {
    let removed = 0;
    for (const some of pieces) {
      removed += await large.piece(() => {
        const discarded = store.stepIfAny(name, (queue, now) => {
          const jobs = jobsOf(queue, some);
          for (const job of jobs) discard(queue, job, now);
          return jobs.length;
        });
        return discarded ?? 0;
      });
    }
    const left = await large.piece(() => {
      const { length } = store.peek(name).jobs.inOrderOfRemoval;
      store.remove(name);
      return length;
    });
    return removed + left;
  };
  return {
    pause: steps.on((queue, _, stop) => pauseQueue(queue, stop)),
    resume: steps.onKnown((queue) => resumeQueue(queue), undefined),
    hold: steps.on((queue, now, duration, stop) => holdQueue(queue, duration, 'caller', now, stop)),
    endHold: steps.onKnown((queue) => {
      if (queue.record.isCreated) endHold(queue);
      return queue.record.isCreated;
    }, false),
    /** Jobs that are added after the last step go to a new queue. */
    remove: async (name, isForced) => {
      const { removal, pieces } = await large.small(() => beginRemoval(name, isForced));
      if (pieces.length === 0 || removal.kind !== 'removed') return removal;
      return { ...removal, jobs: await onceChanged(removeInPieces(name, pieces)) };
    },
    /** Jobs added in the meantime stay. */
    drain: (name, { delayed = false }) => {
      const statuses: UnstartedStatus[] = ['waiting', 'prioritized'];
      if (delayed) statuses.push('delayed');
      const piecesIn = (status: UnstartedStatus): [pieces: Pieces, isSmall: boolean] => {
        const jobs = store.find(name)?.jobs.listed.inOrderOfRemovalIn(status) ?? [];
        return [removalPieces(jobs), isSmallRemoval(jobs)];
      };
      return inSteps(async (changed) => {
        let removed = 0;
        for (const status of statuses) {
          const [pieces, areFew] = await large.small(() => piecesIn(status));
          for (const some of pieces) {
            const step = (): number =>
              store.stepIfAny(name, (queue, now) =>
                drain(queue, jobsOf(queue, some), status, now),
              ) ?? 0;
            removed += await (areFew ? large.small(step) : large.piece(step));
            if (removed > 0) changed();
          }
        }
        return removed;
      });
    },
    deduplication: steps.onKnown((queue, now, id) => {
      const standing = standingFor(queue, id, now);
      if (standing === undefined) return undefined;
      const { jobId, endsAt } = standing;
      return { id, jobId, ttl: endsAt === undefined ? null : endsAt - now };
    }, undefined),
    endDeduplication: steps.onKnown((queue, now, id) => endDeduplication(queue, id, now), false),
  };
}

/** The ids of jobs in the pieces in which they are removed. */
function removalPieces(jobs: readonly StoredJob[]): Pieces {
  const pieces = boundedPieces(jobs, recordsOf, { size: MOST_REMOVED });
  return pieces.map((some) => some.map(({ id }) => id));
}

/** The jobs of these ids that are still there. */
function jobsOf({ jobs }: StoredQueue, ids: readonly string[]): readonly StoredJob[] {
  return ids.flatMap((id) => jobs.find(id) ?? []);
}
