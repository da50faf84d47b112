import type { NewJob } from '../../../../domain/jobs/job.ts';
import type { QueueName } from '../../../../domain/queues/queue-name.ts';

/** A job of a large add or flow. */
export interface JobToStage {
  readonly queue: QueueName;
  /** Empty for the next number. */
  readonly id: string;
  readonly job: NewJob;
  /** In a flow: the position and the key of its parent, and what BullMQ stores about it, as JSON. */
  readonly parent?:
    { readonly position: number; readonly key: string; readonly stored: string } | undefined;
  readonly isParent: boolean;
}
