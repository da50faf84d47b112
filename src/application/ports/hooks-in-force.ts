import type { Hook } from '../../domain/hooks/hook.ts';
import type { QueueName } from '../../domain/queues/queue-name.ts';

/** The hooks as this replica last read them, paused ones included. Reading waits for nothing. */
export interface HooksInForce {
  all(): readonly Hook[];

  find(id: string): Hook | undefined;

  /** The hooks about a queue that make messages. It is asked whenever a job ends. */
  watching(queue: QueueName): readonly Hook[];
}
