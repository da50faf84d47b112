import type { FlowOperations } from '../../../../../application/operations/flow-operations.ts';
import type { FlowJobShape } from '../../../../../domain/flows/flow.ts';
import { isObject } from '../../../../../domain/values/json.ts';
import type { EventLoopTurns } from '../../messages/event-loop-turns.ts';
import { jsonList } from '../../messages/json-list.ts';
import { jsonTree } from '../../messages/json-tree.ts';
import { jsonContent } from '../../messages/operation.ts';
import { json } from '../../messages/reply.ts';
import { requireQueues } from '../body-parsing.ts';
import { replayedHeaders } from '../idempotency-key.ts';
import { route, type Route } from '../route.ts';
import { flowAnswer, flowChildrenAnswer } from '../schemas/answer-shapes.ts';
import { flowBody } from '../schemas/flow-body.ts';
import { flowChildrenQuery } from '../schemas/query-schemas.ts';

/** Flows: jobs that wait for other jobs. */
export function flowRoutes(
  flows: FlowOperations,
  shape: FlowJobShape,
  turns: EventLoopTurns,
): readonly Route[] {
  const flow = { tag: 'Flows' } as const;

  return [
    route({
      ...flow,
      method: 'POST',
      path: '/flows',
      operation: flows.add,
      summary:
        'Add a tree of jobs, each of which waits for the jobs below it: all of them, or none',
      description:
        'A job starts once all of its children are completed, and its endpoint gets what they ' +
        'returned. They may be in other queues. Send an `Idempotency-Key` so that a repetition adds ' +
        'nothing.',
      replies: { 200: jsonContent(flowAnswer, 'The stored jobs') },
      errors: ['request-too-large', 'queue-full', 'job-conflict'],
      body: flowBody(shape),
      isRepeatable: true,
      reply: async ({ flow, isRepeated }) => {
        // Writing a large one is a turn of its own.
        await turns.next();
        return json(flow, 200, replayedHeaders(isRepeated));
      },
      checkQueuesIn: (body, caller) => {
        requireQueues(queuesIn(body), caller);
      },
    }),
    route({
      ...flow,
      method: 'GET',
      path: '/flows/:queue/:jobId',
      operation: flows.read,
      summary: 'Read a job with the jobs that it waits for, or waited for',
      description:
        'The tree from this job down, with names and states. A job that was removed has no name.',
      replies: { 200: jsonContent(flowAnswer, 'The tree of jobs') },
      errors: ['job-not-found'],
      reply: (nodes) => jsonTree(nodes, turns),
    }),
    route({
      ...flow,
      method: 'GET',
      path: '/queues/:queue/jobs/:jobId/children',
      operation: flows.readChildren,
      summary: 'Read the outcomes of the children of a job',
      description:
        'The return values of its children or why they failed, by queue and id, as far as they ' +
        'have ended.',
      replies: { 200: jsonContent(flowChildrenAnswer, 'The children') },
      errors: ['job-not-found'],
      query: flowChildrenQuery,
      reply: (pieces) => jsonList(pieces, (children) => children, turns),
    }),
  ];
}

/** The queues of everything that may be a job of a flow, even a flow with mistakes. */
function* queuesIn(flow: unknown): Generator {
  const rest: unknown[] = [flow];
  while (rest.length > 0) {
    const job = rest.pop();
    if (!isObject(job)) continue;
    yield job['queue'];
    if (Array.isArray(job['children'])) rest.push(...(job['children'] as readonly unknown[]));
  }
}
