import type { QueueOperations } from '../../../../../application/operations/queue-operations.ts';
import type { EventLoopTurns } from '../../messages/event-loop-turns.ts';
import { inPieces, jsonList } from '../../messages/json-list.ts';
import { jsonContent, okContent } from '../../messages/operation.ts';
import { route, type Route } from '../route.ts';
import {
  deduplicationAnswer,
  drainAnswer,
  holdAnswer,
  queueAnswer,
  queueRemovalAnswer,
  queuesPageAnswer,
} from '../schemas/answer-shapes.ts';
import { anyOf } from '../schemas/any-of.ts';
import { figuredQueuesPageAnswer } from '../schemas/figure-answers.ts';
import { drainBody, holdBody } from '../schemas/body-formats.ts';
import { queueRemovalQuery, queuesPageQuery } from '../schemas/query-schemas.ts';

/** How many queues of a list are written in one turn of the event loop. */
const QUEUES_PER_TURN = 100;

/** Whole queues. */
export function queueRoutes(queues: QueueOperations, turns: EventLoopTurns): readonly Route[] {
  return [
    route({
      method: 'GET',
      path: '/queues',
      operation: queues.list,
      tag: 'Queues',
      summary: 'List the queues, on request with their figures, sorted and of a state',
      description:
        'Queues that the token may not use are left out. `view=figures` adds rates, failures and ' +
        'why nothing starts.',
      replies: { 200: jsonContent(anyOf(queuesPageAnswer, figuredQueuesPageAnswer), 'The queues') },
      query: queuesPageQuery,
      reply: ({ queues: listed, ...page }) =>
        jsonList(
          inPieces<unknown>(listed, QUEUES_PER_TURN),
          (some) => ({ ...page, queues: some }),
          turns,
        ),
    }),
    route({
      method: 'GET',
      path: '/queues/:queue',
      operation: queues.read,
      tag: 'Queues',
      summary: 'Read the job counts of a queue and how it is processed',
      description: 'It also has why nothing starts although jobs wait, in `blocked`.',
      replies: { 200: jsonContent(queueAnswer, 'The queue') },
      errors: ['queue-not-found'],
    }),
    route({
      method: 'DELETE',
      path: '/queues/:queue',
      operation: queues.remove,
      tag: 'Queues',
      summary: 'Remove a queue with its jobs, its job schedulers and its worker',
      description:
        'Nothing of it is left, so its name has to be repeated in `confirm`. A queue with active ' +
        'jobs is 409 unless `force` is given.',
      replies: { 200: jsonContent(queueRemovalAnswer, 'The queue is removed') },
      errors: ['queue-not-found', 'queue-active'],
      query: queueRemovalQuery,
    }),
    route({
      method: 'POST',
      path: '/queues/:queue/pause',
      operation: queues.pause,
      tag: 'Queues',
      summary: 'Pause a queue: no job starts, and running calls continue',
      description:
        'It holds over all replicas and restarts, until the queue is resumed. Jobs can still be ' +
        'added.',
      replies: { 200: okContent('The queue is paused') },
    }),
    route({
      method: 'POST',
      path: '/queues/:queue/resume',
      operation: queues.resume,
      tag: 'Queues',
      summary: 'Resume a paused queue',
      description: 'Jobs start again in their order. A queue that is not paused stays as it is.',
      replies: { 200: okContent('The queue is not paused') },
    }),
    route({
      method: 'POST',
      path: '/queues/:queue/hold',
      operation: queues.hold,
      tag: 'Queues',
      summary: 'Hold a queue: no job starts for a time; of several holds the latest end counts',
      description:
        'A hold is a pause that ends by itself. An endpoint begins one with `Retry-After`.',
      replies: { 200: jsonContent(holdAnswer, 'The queue is held') },
      body: holdBody,
    }),
    route({
      method: 'DELETE',
      path: '/queues/:queue/hold',
      operation: queues.endHold,
      tag: 'Queues',
      summary: 'End the hold of a queue, whether a client or its endpoint began it',
      description: 'Jobs start again at once, unless the queue is paused too.',
      replies: { 200: okContent('The queue is not held') },
      errors: ['queue-not-found'],
    }),
    route({
      method: 'POST',
      path: '/queues/:queue/drain',
      operation: queues.drain,
      tag: 'Queues',
      summary:
        'Remove the waiting and prioritized jobs of a queue, and the delayed ones on request',
      description: 'Active, completed and failed jobs stay. There is no way back.',
      replies: { 200: jsonContent(drainAnswer, 'The jobs are removed') },
      body: drainBody,
    }),
    route({
      method: 'GET',
      path: '/queues/:queue/deduplication/:deduplicationId',
      operation: queues.readDeduplication,
      tag: 'Queues',
      summary: 'Read which job stands for a deduplication id',
      description:
        'While it stands, further jobs with this id are not added, and the answer to their add ' +
        'has its id.',
      replies: { 200: jsonContent(deduplicationAnswer, 'The job that stands for it') },
      errors: ['deduplication-not-found'],
    }),
    route({
      method: 'DELETE',
      path: '/queues/:queue/deduplication/:deduplicationId',
      operation: queues.endDeduplication,
      tag: 'Queues',
      summary: 'Allow the next job of a deduplication id to be added',
      description: 'The job that stood for it stays as it is.',
      replies: { 200: okContent('No job stands for it') },
      errors: ['deduplication-not-found'],
    }),
  ];
}
