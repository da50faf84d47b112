import type { QueueName } from '../../domain/queues/queue-name.ts';
import { given, place } from './input.ts';

/** The input of an operation on a queue, or on something in it. */
export interface InQueue {
  readonly queue: QueueName;
}

/** What a caller orders or sends along. */
export interface Ordered<Order> {
  readonly order: Order;
}

/** The input of an operation on a queue, or on something in it. */
export const ofQueue = { queue: place<QueueName>() };

/** The input of an operation on a job. */
export const onJob = { ...ofQueue, jobId: place() };

/** The input of an operation on a job by whoever holds it, by the token of the attempt that holds the job. */
export const byHolder = { ...onJob, token: given<string>() };
