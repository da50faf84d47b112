import type { JobAddress } from '../../../../domain/flows/flow.ts';
import type { QueueName } from '../../../../domain/queues/queue-name.ts';

/** The address of a job, and the prefix of its queue. */
export interface PrefixedJob extends JobAddress {
  readonly prefix: string;
}

/**
 * The job that a key belongs to. Neither a prefix nor the name of a queue has a colon, except that of this service; an
 * id may have several.
 *
 * @param own the prefix of this service.
 */
export function jobOfKey(own: string, key: string): PrefixedJob {
  const prefix = key.startsWith(`${own}:`) ? own : key.slice(0, key.indexOf(':'));
  const rest = key.slice(prefix.length + 1);
  const end = rest.indexOf(':');
  return { prefix, queue: rest.slice(0, end) as QueueName, id: rest.slice(end + 1) };
}
