import type { JobControlPort } from '../../../../application/ports/job-control-port.ts';
import type { ActionOutcome } from '../../../../domain/jobs/job-actions.ts';
import type { QueueName } from '../../../../domain/queues/queue-name.ts';
import {
  cancelJob,
  changeJob,
  promoteJob,
  removeActiveJob,
  removeJob,
  retryJob,
} from '../../../../domain/transitions/job-control.ts';
import type { MemoryStore } from '../state/memory-store.ts';
import type { StoredJob } from '../state/stored-job.ts';
import type { StoredQueue } from '../state/stored-queue.ts';
import { QueueSteps } from './queue-steps.ts';
import { removing } from './removal-size.ts';
import { Steps } from './steps.ts';

const MISSING: ActionOutcome = { kind: 'missing' };

/** The operations on single jobs in the memory of this process. Never creates a queue. */
export function memoryJobControl(store: MemoryStore, large = new Steps()): JobControlPort {
  const steps = new QueueSteps(store);
  const named = (name: QueueName, jobId: string): readonly StoredJob[] => {
    const job = store.find(name)?.jobs.find(jobId);
    return job === undefined ? [] : [job];
  };
  /** All jobs below a job that still exist, in any queue. */
  const below = (name: QueueName, jobId: string): readonly (readonly [QueueName, StoredJob])[] =>
    store.childrenOf(name, jobId).flatMap(({ queue, id }) => {
      const job = store.find(queue)?.jobs.find(id);
      return job === undefined ? [] : [[queue, job] as const, ...below(queue, id)];
    });
  const remove = (name: QueueName, jobId: string): ActionOutcome => {
    const family = below(name, jobId);
    if (family.some(([, { status }]) => status === 'active')) {
      return { kind: 'needed', by: 'attempt' };
    }
    return store.run((now) => {
      const found = store.find(name);
      const outcome = found === undefined ? MISSING : removeJob(found, jobId, now);
      if (outcome.kind !== 'done') return outcome;
      for (const [queue, { id }] of family) removeJob(store.open(queue), id, now);
      return outcome;
    });
  };
  const removeOne = (
    name: QueueName,
    jobId: string,
    step: (queue: StoredQueue, now: number) => ActionOutcome,
  ): Promise<ActionOutcome> =>
    removing(large, named(name, jobId), () => store.stepIfAny(name, step) ?? MISSING);
  return {
    /** Does nothing: the memory store finds every job at once. */
    bringTogether: () => Promise.resolve(),
    /** One step, also for the jobs of a large family, which waits for its turn among large requests. */
    remove: (name, jobId) => {
      const step = (): ActionOutcome => remove(name, jobId);
      const family = below(name, jobId).map(([, job]) => job);
      return removing(large, [...named(name, jobId), ...family], step);
    },
    removeAlone: (name, jobId, within) =>
      removeOne(name, jobId, (queue, now) => removeJob(queue, jobId, now, within)),
    removeActive: (name, jobId) =>
      removeOne(name, jobId, (queue, now) => removeActiveJob(queue, jobId, now)),
    promote: steps.onKnown((queue, now, jobId) => promoteJob(queue, jobId, now), MISSING),
    retry: steps.onWhole(
      (queue, now, jobId: string, retry, within) => retryJob(queue, jobId, retry, now, within),
      MISSING,
    ),
    cancel: steps.onWhole(
      (queue, now, jobId: string, cancellation, within) =>
        cancelJob(queue, jobId, cancellation, now, within),
      MISSING,
    ),
    change: steps.onWhole(
      (queue, now, jobId: string, change) => changeJob(queue, jobId, change, now),
      MISSING,
    ),
  };
}
