import type { QueueName } from '../../../domain/queue-name.ts';
import type { StoredJob } from './stored-job.ts';

/** Who is told what becomes of the jobs of a queue that others wait for, wherever those are. */
export interface FamilyTies {
  /** The job has completed or failed, and is still there. */
  ended(queue: QueueName, job: StoredJob): void;

  /** The job had ended and starts over. */
  startedOver(queue: QueueName, job: StoredJob): void;

  /** The job goes, and with a drained queue those in it that wait for none that is left. */
  removed(queue: QueueName, job: StoredJob, isDrained: boolean): void;
}
