import type { QueueName } from '../../../../../domain/queues/queue-name.ts';
import {
  bounded,
  optional,
  required,
  string,
  type Shape,
} from '../../../../../domain/values/shape.ts';

/** The most characters of a name or an id; the operation that gets it has the rules of its own. */
const LONGEST_NAME = 4096;

/** A name or an id that a tool takes: of a queue, a job, a scheduler or the preview of a repair. */
export const nameArgument = bounded(LONGEST_NAME, string);

/** The use of a tool refuses what is no name of a queue, once the caller is admitted. */
const queueName = nameArgument as Shape<QueueName>;

export const queueArgument = required(queueName, 'The queue');

export const optionalQueueArgument = optional(queueName, 'All when absent');
