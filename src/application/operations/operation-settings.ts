import type { QueueName } from '../../domain/queues/queue-name.ts';
import type { Shape } from '../../domain/values/shape.ts';

/** The settings that decide which input operations take. */
export interface OperationSettings {
  /** The prefix of the qualified name of a queue. */
  readonly queuePrefix: string;
  readonly queueName: Shape<QueueName>;
  /** Largest return value that is reported, in bytes. */
  readonly maxReturnValue: number;
}
