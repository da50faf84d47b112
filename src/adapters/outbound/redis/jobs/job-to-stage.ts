import type { NewJob } from '../../../../domain/jobs/job.ts';
import type { QueueName } from '../../../../domain/queues/queue-name.ts';

/** A job of a large add or flow. */
export interface JobToStage {
  readonly queue: QueueName;
  /** Empty for the next number. */
  readonly id: string;
  readonly job: NewJob;
  /** In a flow: the position of its parent, and the fields that name it. */
  readonly parent?: { readonly position: number; readonly fields: readonly string[] } | undefined;
  readonly isParent: boolean;
}
