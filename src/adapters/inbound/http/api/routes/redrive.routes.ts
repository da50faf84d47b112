import type { RedriveOperations } from '../../../../../application/operations/redrive-operations.ts';
import type { QueueName } from '../../../../../domain/queues/queue-name.ts';
import type { Shape } from '../../../../../domain/values/shape.ts';
import { jsonContent } from '../../messages/operation.ts';
import { route, type Route } from '../route.ts';
import { repairAnswer } from '../schemas/answer-shapes.ts';
import { redriveBody } from '../schemas/body-formats.ts';

/** Brings letters of a dead letter queue back. @param queueName the shape of names of queues. */
export function redriveRoutes(
  { redrive }: RedriveOperations,
  queueName: Shape<QueueName>,
): readonly Route[] {
  return [
    route({
      method: 'POST',
      path: '/queues/:queue/redrive',
      operation: redrive,
      tag: 'Queues',
      summary: 'Bring letters of a dead letter queue back as the jobs that they were',
      description:
        'Each goes to the queue that it came from, or to `to`, with the options of its original. `filter` compares the ' +
        'reason, cause, status and group with those of the original. Call it again while `remaining` is more than 0. ' +
        'With `dryRun` it counts, and changes nothing.',
      replies: { 200: jsonContent(repairAnswer, 'How many letters are back, and how many remain') },
      body: redriveBody(queueName),
    }),
  ];
}
