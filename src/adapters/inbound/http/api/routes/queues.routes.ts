import type { FiguredQueues } from '../../../../../application/queues/figured-queues.ts';
import type { Queues } from '../../../../../application/queues/queues.ts';
import { jsonContent, okContent } from '../../messages/operation.ts';
import { json, OK } from '../../messages/reply.ts';
import { refuseWithout } from '../refused-parameters.ts';
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

/** Whole queues. */
export function queueRoutes(queues: Queues, figured: FiguredQueues): readonly Route[] {
  return [
    route({
      method: 'GET',
      path: '/queues',
      access: 'read',
      operationId: 'listQueues',
      tag: 'Queues',
      summary: 'List the queues, on request with their figures, sorted and of a state',
      description:
        'Queues that the token may not use are left out. `view=figures` adds rates, failures and ' +
        'why nothing starts.',
      replies: { 200: jsonContent(anyOf(queuesPageAnswer, figuredQueuesPageAnswer), 'The queues') },
      query: queuesPageQuery,
      handle: async ({ query: { view, sort, order, state, ...query }, caller }) => {
        const mayUse = caller.onlyQueues;
        if (view === undefined) {
          refuseWithout('view=figures', { sort, order, state });
          return json(await queues.list(query, mayUse));
        }
        return json(await figured.list({ ...query, sort: sort ?? 'name', order, state, mayUse }));
      },
    }),
    route({
      method: 'GET',
      path: '/queues/:queue',
      access: 'read',
      operationId: 'readQueue',
      tag: 'Queues',
      summary: 'Read the job counts of a queue and how it is processed',
      description: 'It also has why nothing starts although jobs wait, in `blocked`.',
      replies: { 200: jsonContent(queueAnswer, 'The queue') },
      errors: ['queue-not-found'],
      handle: async ({ parameters, caller }) =>
        json(await queues.read(parameters.queue, caller.onlyQueues)),
    }),
    route({
      method: 'DELETE',
      path: '/queues/:queue',
      access: 'configure',
      operationId: 'removeQueue',
      action: 'queue.remove',
      tag: 'Queues',
      summary: 'Remove a queue with its jobs, its job schedulers and its worker',
      description:
        'Nothing of it is left, so its name has to be repeated in `confirm`. A queue with active ' +
        'jobs is 409 unless `force` is given.',
      replies: { 200: jsonContent(queueRemovalAnswer, 'The queue is removed') },
      errors: ['queue-not-found', 'queue-active'],
      query: queueRemovalQuery,
      handle: async ({ parameters, query }) => {
        const removed = await queues.remove(parameters.queue, query);
        return { line: 'Queue removed', fields: { ...removed }, reply: json({ removed }) };
      },
    }),
    route({
      method: 'POST',
      path: '/queues/:queue/pause',
      access: 'operate',
      operationId: 'pauseQueue',
      action: 'queue.pause',
      tag: 'Queues',
      summary: 'Pause a queue: no job starts, and running calls continue',
      description:
        'It holds over all replicas and restarts, until the queue is resumed. Jobs can still be ' +
        'added.',
      replies: { 200: okContent('The queue is paused') },
      handle: async ({ parameters }) => {
        await queues.pause(parameters.queue);
        return { line: 'Queue paused', reply: OK };
      },
    }),
    route({
      method: 'POST',
      path: '/queues/:queue/resume',
      access: 'operate',
      operationId: 'resumeQueue',
      action: 'queue.resume',
      tag: 'Queues',
      summary: 'Resume a paused queue',
      description: 'Jobs start again in their order. A queue that is not paused stays as it is.',
      replies: { 200: okContent('The queue is not paused') },
      handle: async ({ parameters }) => {
        await queues.resume(parameters.queue);
        return { line: 'Queue resumed', reply: OK };
      },
    }),
    route({
      method: 'POST',
      path: '/queues/:queue/hold',
      access: 'operate',
      operationId: 'holdQueue',
      action: 'queue.hold',
      tag: 'Queues',
      summary: 'Hold a queue: no job starts for a time; of several holds the latest end counts',
      description:
        'A hold is a pause that ends by itself. An endpoint begins one with `Retry-After`.',
      replies: { 200: jsonContent(holdAnswer, 'The queue is held') },
      body: holdBody,
      handle: async ({ parameters, body }) => {
        const fields = { until: await queues.hold(parameters.queue, body) };
        return { line: 'Queue held', fields, reply: json(fields) };
      },
    }),
    route({
      method: 'DELETE',
      path: '/queues/:queue/hold',
      access: 'operate',
      operationId: 'endHold',
      action: 'queue.end-hold',
      tag: 'Queues',
      summary: 'End the hold of a queue, whether a client or its endpoint began it',
      description: 'Jobs start again at once, unless the queue is paused too.',
      replies: { 200: okContent('The queue is not held') },
      errors: ['queue-not-found'],
      handle: async ({ parameters }) => {
        await queues.endHold(parameters.queue);
        return { line: 'Hold of a queue ended', reply: OK };
      },
    }),
    route({
      method: 'POST',
      path: '/queues/:queue/drain',
      access: 'operate',
      operationId: 'drainQueue',
      action: 'queue.drain',
      tag: 'Queues',
      summary:
        'Remove the waiting and prioritized jobs of a queue, and the delayed ones on request',
      description: 'Active, completed and failed jobs stay. There is no way back.',
      replies: { 200: jsonContent(drainAnswer, 'The jobs are removed') },
      body: drainBody,
      handle: async ({ parameters, body }) => {
        const fields = { removed: await queues.drain(parameters.queue, body) };
        return { line: 'Queue drained', fields, reply: json(fields) };
      },
    }),
    route({
      method: 'GET',
      path: '/queues/:queue/deduplication/:deduplicationId',
      access: 'read',
      operationId: 'readDeduplication',
      tag: 'Queues',
      summary: 'Read which job stands for a deduplication id',
      description:
        'While it stands, further jobs with this id are not added, and the answer to their add ' +
        'has its id.',
      replies: { 200: jsonContent(deduplicationAnswer, 'The job that stands for it') },
      errors: ['deduplication-not-found'],
      handle: async ({ parameters: { queue, deduplicationId } }) =>
        json(await queues.deduplication(queue, deduplicationId)),
    }),
    route({
      method: 'DELETE',
      path: '/queues/:queue/deduplication/:deduplicationId',
      access: 'configure',
      operationId: 'endDeduplication',
      action: 'deduplication.remove',
      tag: 'Queues',
      summary: 'Allow the next job of a deduplication id to be added',
      description: 'The job that stood for it stays as it is.',
      replies: { 200: okContent('No job stands for it') },
      errors: ['deduplication-not-found'],
      handle: async ({ parameters: { queue, deduplicationId } }) => {
        await queues.endDeduplication(queue, deduplicationId);
        return { line: 'Deduplication ended', reply: OK };
      },
    }),
  ];
}
