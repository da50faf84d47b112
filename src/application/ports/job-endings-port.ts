import type { Json } from '../../domain/json.ts';
import type { QueueName } from '../../domain/queue-name.ts';

/** How a job ended, as it is told. A value may be missing, and a reason cut, when it is long. */
export type ToldEnding =
  | { readonly state: 'completed'; readonly returnvalue: Json }
  | { readonly state: 'failed'; readonly failedReason: string };

/** Hears of the ends of the jobs of one queue. */
export interface Following {
  /** Calls the listener when this one job ends, at once when it has ended since the following began. */
  listen(jobId: string, listener: (ending: ToldEnding) => void): void;

  /** Nothing is told from now on. */
  end(): void;
}

/**
 * Reports the ends of jobs, on whatever replica they end, within some 50 ms. A report is a wake-up: one may get lost with a
 * connection, so whoever waits also looks at the job now and then. All that follow on a replica share the work.
 */
export interface JobEndingsPort {
  /**
   * Follows the queue, whether it exists or not: what ends after this resolves is told.
   *
   * @throws DomainError `store-unavailable`.
   */
  follow(queue: QueueName): Promise<Following>;
}
