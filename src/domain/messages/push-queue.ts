import { boolean, integer, object, optional, type Shaped } from '../values/shape.ts';
import type { Worker } from '../workers/worker.ts';

/** What a client sets of a queue. */
export const pushQueueShape = object('PushQueue', {
  parallelism: optional(
    integer(1, 10_000),
    'How many of its messages are called at a time; 1 unless given',
  ),
  paused: optional(boolean, 'Whether no message of it is called'),
});

export type PushQueueSettings = Shaped<typeof pushQueueShape>;

/** Whether the worker is one of a queue that was made for pushed messages. */
export function isPushWorker({ endpoint: { url, body } }: Pick<Worker, 'endpoint'>): boolean {
  return url === null && body === 'data';
}
