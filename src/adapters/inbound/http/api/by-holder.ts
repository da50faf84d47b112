import type { ByHolder, Ordered } from '../../../../application/operations/in-queue.ts';
import type { QueueName } from '../../../../domain/queues/queue-name.ts';
import type { Call } from './route.ts';

type HolderCall<Body> = Call<{ readonly queue: QueueName; readonly jobId: string }, Body, object>;

/** Maps a request by the holder of a job, which authenticates with the token of its attempt. */
export function byHolder<Body>({
  parameters: { queue, jobId },
  token,
  body,
}: HolderCall<Body>): ByHolder & Ordered<Body> {
  return { queue, jobId, token, order: body };
}
