import type { Caller } from '../../../../../domain/access/caller.ts';
import type { Flows } from '../../../../../application/flows/flows.ts';
import { addedFlowJson, flowNodeJson } from '../../../../../domain/flows/flow-json.ts';
import type { PlacedNode } from '../../../../../domain/flows/flow-node.ts';
import type { FlowChild, FlowInput, FlowJobShape } from '../../../../../domain/flows/flow.ts';
import { isObject } from '../../../../../domain/values/json.ts';
import type { EventLoopTurns } from '../../messages/event-loop-turns.ts';
import { jsonList } from '../../messages/json-list.ts';
import { jsonTree } from '../../messages/json-tree.ts';
import { jsonContent } from '../../messages/operation.ts';
import { json } from '../../messages/reply.ts';
import { requireCallbackQueues } from '../callback-queues.ts';
import { route, type Route } from '../route.ts';
import { shownTo } from '../shown-values.ts';
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
      description:
        'A job starts once all of its children are completed, and its endpoint gets what they ' +
        'returned. They may be in other queues.',
      replies: { 200: jsonContent(flowAnswer, 'The stored jobs') },
      errors: ['request-too-large', 'queue-full', 'job-conflict'],
      body: flowBody(shape),
      queuesIn: queuesOf,
      jobsOf: (flow) => [...jobsOf(flow)].length,
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
      description:
        'The tree from this job down, with names and states. A job that was removed has no name.',
      replies: { 200: jsonContent(flowAnswer, 'The tree of jobs') },
      errors: ['job-not-found'],
      handle: async ({ parameters: { queue, jobId }, caller }) => {
        const nodes = allowedNodes(await flows.tree(queue, jobId), caller);
        return jsonTree(nodes, (node) => shownTo(caller, flowNodeJson(node)), turns);
      },
    }),
    route({
      ...flow,
      method: 'GET',
      path: '/queues/:queue/jobs/:jobId/children',
      access: 'read',
      operationId: 'readChildren',
      summary: 'Read the outcomes of the children of a job',
      description:
        'The return values of its children or why they failed, by queue and id, as far as they ' +
        'have ended.',
      replies: { 200: jsonContent(flowChildrenAnswer, 'The children') },
      errors: ['job-not-found'],
      query: flowChildrenQuery,
      handle: async ({ parameters: { queue, jobId }, query, caller }) => {
        const pieces = await flows.children(queue, jobId, query);
        const show = (child: FlowChild): object => shownTo(caller, child);
        return jsonList(allowedChildren(pieces, caller), show, (children) => children, turns);
      },
    }),
  ];
}

/** @throws DomainError `forbidden` unless the caller may use the queue of every job of the flow. */
function requireQueues(flow: FlowInput, caller: Caller): void {
  for (const { queue, opts } of jobsOf(flow)) {
    caller.requireQueue(queue);
    requireCallbackQueues(caller, [opts?.callback]);
  }
}

/** The queues of everything that may be a job of a flow, even a flow with mistakes. */
function* queuesOf(flow: unknown): Generator {
  const rest: unknown[] = [flow];
  while (rest.length > 0) {
    const job = rest.pop();
    if (!isObject(job)) continue;
    yield job['queue'];
    if (Array.isArray(job['children'])) rest.push(...(job['children'] as readonly unknown[]));
  }
}

/** All jobs of a flow. */
function* jobsOf(flow: FlowInput): Generator<FlowInput> {
  const rest: FlowInput[] = [flow];
  for (let job = rest.pop(); job !== undefined; job = rest.pop()) {
    yield job;
    for (const child of job.children ?? []) rest.push(child);
  }
}

/** Leaves out nodes in queues that the caller may not use, and everything below them. */
async function* allowedNodes(
  pieces: AsyncIterable<readonly PlacedNode[]>,
  caller: Caller,
): AsyncGenerator<readonly PlacedNode[]> {
  let leftOut = Infinity;
  for await (const nodes of pieces) {
    yield nodes.filter(({ node, depth }) => {
      if (depth > leftOut) return false;
      const isAllowed = caller.mayUse(node.queue);
      leftOut = isAllowed ? Infinity : depth;
      return isAllowed;
    });
  }
}

async function* allowedChildren(
  pieces: AsyncIterable<readonly FlowChild[]>,
  caller: Caller,
): AsyncGenerator<readonly FlowChild[]> {
  for await (const children of pieces) {
    yield children.filter(({ queue }) => caller.mayUse(queue));
  }
}
