import type { Caller } from '../../../../../domain/access/caller.ts';
import { isObject } from '../../../../../domain/values/json.ts';
import {
  requirePatterns,
  type ErasureOperations,
} from '../../../../../application/operations/erasure-operations.ts';
import { jsonContent } from '../../messages/operation.ts';
import { requireQueues } from '../body-parsing.ts';
import { route, type Route } from '../route.ts';
import { erasureAnswer } from '../schemas/answer-shapes.ts';
import { erasureBody } from '../schemas/body-formats.ts';

export function erasureRoutes({ erase }: ErasureOperations): readonly Route[] {
  return [
    route({
      method: 'POST',
      path: '/erase',
      operation: erase,
      tag: 'Queues',
      summary: 'Erase what the store has of one person, or of some jobs',
      description:
        'Call it again while `remaining` is more than 0. With `dryRun` it counts, and changes nothing.',
      replies: { 200: jsonContent(erasureAnswer, 'How many jobs are erased, and how many remain') },
      body: erasureBody,
      checkQueuesIn: checkQueuesOfErasure,
    }),
  ];
}

function checkQueuesOfErasure(body: unknown, caller: Caller): void {
  if (!isObject(body)) return;
  const { filter, queues } = body;
  if (isObject(filter)) requireQueues([filter['queue']], caller);
  if (Array.isArray(queues)) {
    requirePatterns(
      caller,
      queues.filter((each) => typeof each === 'string'),
    );
  }
}
