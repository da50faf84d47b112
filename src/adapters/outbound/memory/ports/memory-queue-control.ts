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
import { QueueSteps } from './queue-steps.ts';
import { isSmallRemoval } from './removal-size.ts';
import { MOST_IN_SMALL, Steps } from './steps.ts';
import type { UnstartedStatus } from '../../../../domain/attempts/order.ts';
import type { Position } from '../../../../domain/records/job-record.ts';

/** So many jobs are no small removal. */
const MORE_THAN_FEW = MOST_IN_SMALL.jobs + 1;

/** Whole queues in the memory of this process. */
export function memoryQueueControl(store: MemoryStore, large = new Steps()): QueueControlPort {
  const steps = new QueueSteps(store);
  /** @returns what becomes of the queue, and how many jobs are to be removed in pieces: it is paused from now on. */
  const beginRemoval = (name: QueueName, isForced: boolean): [QueueRemoval, number] => {
    const queue = store.find(name);
    if (queue?.record.isCreated !== true) return [{ kind: 'missing' }, 0];
    const counts = queue.jobs.listed.counts();
    if (counts.active > 0 && !isForced) return [{ kind: 'active' }, 0];
    const jobs = jobsIn(counts);
    const removal = { kind: 'removed', jobs, schedulers: queue.schedulers.size } as const;
    if (!isSmallRemoval(queue.jobs.listed.inOrderOfRemoval(MORE_THAN_FEW))) {
      pauseQueue(queue);
      return [removal, jobs];
    }
    store.remove(name);
    return [removal, 0];
  };
  /** @param count how many jobs there are, of which each step removes some. @returns how many were there. */
  const removeInPieces = async (name: QueueName, count: number): Promise<number> => {
    let removed = 0;
    const step = (): number =>
      store.stepIfAny(name, (queue, now) => {
        const jobs = firstPiece(queue.jobs.listed.inOrderOfRemoval(MOST_REMOVED));
        for (const job of jobs) discard(queue, job, now);
        return jobs.length;
      }) ?? 0;
    for (let some = 1; some > 0 && removed < count; removed += some) {
      some = await large.piece(step);
    }
    const left = await large.piece(() => {
      const counts = store.peek(name).jobs.listed.counts();
      store.remove(name);
      return jobsIn(counts);
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
      const [removal, count] = await large.small(() => beginRemoval(name, isForced));
      if (count === 0 || removal.kind !== 'removed') return removal;
      return { ...removal, jobs: await onceChanged(removeInPieces(name, count)) };
    },
    drain: (name, { delayed = false }) => {
      const statuses: UnstartedStatus[] = ['waiting', 'prioritized'];
      if (delayed) statuses.push('delayed');
      const begin = (status: UnstartedStatus): [count: number, isSmall: boolean] => {
        const { listed } = store.peek(name).jobs;
        const first = listed.inOrderOfRemovalIn(status, MORE_THAN_FEW);
        return [listed.count(status), isSmallRemoval(first)];
      };
      return inSteps(async (changed) => {
        let removed = 0;
        for (const status of statuses) {
          const [count, isSmall] = await large.small(() => begin(status));
          let [looked, last]: [number, Position?] = [0];
          const step = (): number =>
            store.stepIfAny(name, (queue, now) => {
              const { listed } = queue.jobs;
              const jobs = firstPiece(listed.inOrderOfRemovalIn(status, MOST_REMOVED, last));
              looked = jobs.length === 0 ? count : looked + jobs.length;
              last = jobs.at(-1)?.position;
              return drain(queue, jobs, status, now);
            }) ?? 0;
          while (looked < count && store.find(name) !== undefined) {
            removed += await (isSmall ? large.small(step) : large.piece(step));
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

/** The first of some jobs, as many as one step removes. */
function firstPiece(jobs: readonly StoredJob[]): readonly StoredJob[] {
  return boundedPieces(jobs, recordsOf, { size: MOST_REMOVED })[0] ?? [];
}
