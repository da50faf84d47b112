import type { Json } from '../../domain/values/json.ts';
import type { QueueName } from '../../domain/queues/queue-name.ts';
import type { Natures } from './nature.ts';

/** Reports how a job ended. A long value may be absent, and a long reason cut. */
export type EndingNotice =
  | { readonly state: 'completed'; readonly returnvalue: Json }
  | { readonly state: 'failed'; readonly failedReason: string };

/** A subscription to the ends of the jobs of one queue. */
export interface EndingSubscription {
  /** Calls the listener when this job ends, or at once if it has ended since the subscription began. */
  listen(jobId: string, listener: (notice: EndingNotice) => void): void;

  /** Ends the subscription: the listener is not called any more. */
  end(): void;
}

/**
 * Reports the ends of jobs, on any replica, within some 50 ms. A notice is only a wake-up and may get lost with a
 * connection, so a waiter must also read the job from time to time. All subscribers on a replica share the work.
 */
export interface JobEndingsPort {
  /**
   * Subscribes to the queue, whether it exists or not: every end after this resolves is reported.
   *
   * @throws DomainError `store-unavailable`.
   */
  subscribe(queue: QueueName): Promise<EndingSubscription>;
}

export const JOB_ENDINGS_NATURES: Natures<JobEndingsPort> = { subscribe: 'looks' };
