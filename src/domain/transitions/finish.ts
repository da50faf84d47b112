import type { Retention } from '../jobs/job-retention.ts';
import type { JobEvent } from '../hooks/hook-events.ts';
import type { QueueName } from '../queues/queue-name.ts';
import { NO_STEPS, optionsOf, type JobRecord } from '../records/job-record.ts';
import { callEnded } from './callbacks.ts';
import { childEnded } from './family.ts';
import { succeed } from './deduplication.ts';
import { enter, insert, leave } from './places.ts';
import type { QueueState } from './queue-state.ts';
import { discard } from './removal.ts';
import { retain } from './retain.ts';
import { sayEnded } from './say-ended.ts';
import { endScheduled } from './schedule.ts';
import { dropSuspension } from './steps.ts';

const WITHOUT_STEPS = { suspensions: 0, lastStep: 0, steps: NO_STEPS };

/**
 * Ends the job, adds the successor for its deduplication id if there is one, and applies the job's own retention rule,
 * or else that of its worker. What hooks and the callback of the job are to get is written in the same step.
 *
 * @param deadLetterQueue what gets a copy of the job in place of its callback.
 */
export function finish(
  queue: QueueState,
  job: JobRecord,
  event: JobEvent,
  ofWorker: Retention | undefined,
  now: number,
  deadLetterQueue?: QueueName,
): void {
  const { jobs } = queue;
  const status = event === 'job.completed' ? 'completed' : 'failed';
  jobs.write(job, { finishedOn: now, expiresAt: undefined });
  if (job.suspension !== undefined) dropSuspension(queue, job, now);
  leave(queue, job);
  enter(queue, job, status).append(job, 0);
  queue.note(status, job.id, status === 'completed' ? job.returnvalue : job.failedReason);
  queue.announceEnd(job);
  if (job.schedulerId !== undefined) endScheduled(queue, job);
  if (job.parent !== undefined) childEnded(queue, job, now);
  const successor = succeed(queue, job, now);
  if (successor !== undefined) addSuccessor(queue, successor, now);
  sayEnded(queue, job, event, now, deadLetterQueue);
  callEnded(queue, job.id, now);
  retain(queue, job, optionsOf(job), status, ofWorker, now);
}

function addSuccessor(queue: QueueState, successor: JobRecord, now: number): void {
  queue.change({ lastId: queue.record.lastId + 1 });
  const existing = queue.jobs.find(successor.id);
  if (existing !== undefined) discard(queue, existing, now);
  // Records of earlier versions have no first delay and nothing of steps.
  const job = { ...WITHOUT_STEPS, ...successor, timestamp: now, firstDelay: successor.delay };
  insert(queue, job, now);
}
