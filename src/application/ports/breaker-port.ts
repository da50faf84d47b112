import type { OpenBreaker } from '../../domain/attempts/breaker.ts';
import type { QueueName } from '../../domain/queues/queue-name.ts';
import type { Natures } from './nature.ts';

/**
 * Reads and closes the breakers of queues. The verdicts that open and close them are recorded along with the endings of
 * attempts, in the same step. Methods throw DomainError `store-unavailable` when the store cannot be reached.
 */
export interface BreakerPort {
  /** Undefined unless the breaker of the queue is open. */
  find(queue: QueueName): Promise<OpenBreaker | undefined>;

  /** Allows calls again and resets the count of failures. */
  close(queue: QueueName): Promise<void>;
}

export const BREAKER_NATURES: Natures<BreakerPort> = { find: 'looks', close: 'changes' };
