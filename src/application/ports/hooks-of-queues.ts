import type { HooksOfJobs } from '../../domain/hooks/hooks-of-jobs.ts';
import type { QueueName } from '../../domain/queues/queue-name.ts';

/** The hooks in force, as far as they concern how jobs end. Stores ask at every end of a job, so it must be fast. */
export interface HooksOfQueues {
  /** Of a queue whose hooks have not changed, the same object each time. */
  of(queue: QueueName): HooksOfJobs;
}
