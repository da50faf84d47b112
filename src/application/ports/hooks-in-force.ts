import type { Hook } from '../../domain/hooks/hook.ts';
import type { QueueName } from '../../domain/queues/queue-name.ts';

/** The hooks as this replica last read them, paused ones included. Only `known` waits for the store. */
export interface HooksInForce {
  /**
   * Resolves once the hooks have been read: until then there are none.
   *
   * @throws DomainError `store-unavailable` when they are unknown and cannot be read.
   */
  known(): Promise<void>;

  all(): readonly Hook[];

  find(id: string): Hook | undefined;

  /** The hooks about a queue that make messages. It is asked whenever a job ends. */
  watching(queue: QueueName): readonly Hook[];
}
