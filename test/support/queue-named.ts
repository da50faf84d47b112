import type { QueueName } from '../../src/domain/queues/queue-name.ts';

/** A name that a test knows to keep the rules. */
export function queueNamed(name: string): QueueName {
  return name as QueueName;
}
