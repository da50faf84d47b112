import type { QueueName } from '../../domain/queues/queue-name.ts';

/** The input of an operation on a queue, or on something in it. */
export interface InQueue {
  readonly queue: QueueName;
}

/** The input of an operation on a job. */
export interface OnJob extends InQueue {
  readonly jobId: string;
}

/** The input of an operation on a job by whoever holds it. */
export interface ByHolder extends OnJob {
  /** The token of the attempt that holds the job. */
  readonly token: string;
}

/** The input of an operation that stores a setting. */
export interface Previewable {
  /** Whether the setting is only checked: nothing is stored, and the answer is what would be. */
  readonly dryRun: boolean;
}

/** What a caller orders or sends along. */
export interface Ordered<Order> {
  readonly order: Order;
}
