import type { Caller } from '../../../../../domain/access/caller.ts';
import type { Flows } from '../../../../../application/flows/flows.ts';
import { addedFlowJson, flowNodeJson } from '../../../../../domain/flows/flow-json.ts';
import type { FlowInput, FlowJobShape } from '../../../../../domain/flows/flow.ts';
import type { EventLoopTurns } from '../../messages/event-loop-turns.ts';
import { jsonList } from '../../messages/json-list.ts';
import { jsonTree } from '../../messages/json-tree.ts';
import { jsonContent } from '../../messages/operation.ts';
import { json } from '../../messages/reply.ts';
import { route, type Route } from '../route.ts';
import { flowAnswer, flowChildrenAnswer } from '../schemas/answer-shapes.ts';
import { flowBody } from '../schemas/flow-body.ts';
import { flowChildrenQuery } from '../schemas/query-schemas.ts';

/** Flows: jobs that wait for other jobs. */
export function flowRoutes(
  flows: Flows,
  shape: FlowJobShape,
  turns: EventLoopTurns,
): readonly Route[] {
  const flow = { tag: 'Flows' } as const;

  return [
    route({
      ...flow,
      method: 'POST',
      path: '/flows',
      access: 'add',
      operationId: 'addFlow',
      summary:
        'Add a tree of jobs, each of which waits for the jobs below it: all of them, or none',
      replies: { 200: jsonContent(flowAnswer, 'The stored jobs') },
      errors: ['request-too-large', 'queue-full', 'job-conflict'],
      body: flowBody(shape),
      handle: async ({ body, caller, trace }) => {
        requireQueues(body, caller);
        return json(addedFlowJson(await flows.add(body, trace)));
      },
    }),
    route({
      ...flow,
      method: 'GET',
      path: '/flows/:queue/:jobId',
      access: 'read',
      operationId: 'readFlow',
      summary: 'Read a job with the jobs that it waits for, or waited for',
      replies: { 200: jsonContent(flowAnswer, 'The tree of jobs') },
      errors: ['job-not-found'],
      handle: async ({ parameters: { queue, jobId } }) =>
        jsonTree(await flows.tree(queue, jobId), flowNodeJson, turns),
    }),
    route({
      ...flow,
      method: 'GET',
      path: '/queues/:queue/jobs/:jobId/children',
      access: 'read',
      operationId: 'readChildren',
      summary: 'Read the outcomes of the children of a job',
      replies: { 200: jsonContent(flowChildrenAnswer, 'The children') },
      errors: ['job-not-found'],
      query: flowChildrenQuery,
      handle: async ({ parameters: { queue, jobId }, query }) => {
        const pieces = await flows.children(queue, jobId, query);
        return jsonList(pieces, asItIs, asItIs, turns);
      },
    }),
  ];
}

/** @throws DomainError `forbidden` unless the caller may use the queue of every job of the flow. */
function requireQueues(flow: FlowInput, caller: Caller): void {
  const rest: FlowInput[] = [flow];
  for (let job = rest.pop(); job !== undefined; job = rest.pop()) {
    caller.requireQueue(job.queue);
    for (const child of job.children ?? []) rest.push(child);
  }
}

function asItIs<Value>(value: Value): Value {
  return value;
}
