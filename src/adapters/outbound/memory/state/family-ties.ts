import type { QueueName } from '../../../../domain/queues/queue-name.ts';
import type { ListedJob } from './listed-job.ts';
import type { StoredJob } from './stored-job.ts';

/** Is notified of what happens to the children of jobs; their parents may be in any queue. */
export interface FamilyTies {
  /** The job has completed or failed, and is still there. */
  ended(queue: QueueName, job: StoredJob): void;

  /** The job had ended, and starts over. */
  startedOver(queue: QueueName, job: StoredJob): void;

  /** The job is removed. When its queue is drained, so are the parents in it that have no other child to wait for. */
  removed(queue: QueueName, job: ListedJob, isDrained: boolean): void;
}
