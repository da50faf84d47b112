import type { Caller } from '../../domain/access/caller.ts';
import {
  entitled,
  shownTo,
  withOptionsShownTo,
  type Visible,
} from '../../domain/access/visible.ts';
import { addedFlowJson, flowNodeJson, type FlowJson } from '../../domain/flows/flow-json.ts';
import type { PlacedNode } from '../../domain/flows/flow-node.ts';
import type { FlowChild } from '../../domain/flows/flow-child.ts';
import { type FlowInput, MOST_FLOW_JOBS } from '../../domain/flows/flow.ts';
import { integer } from '../../domain/values/shape.ts';
import type { Flows } from '../flows/flows.ts';
import { flowAnswer, flowChildrenAnswer } from './answers/flow-answers.ts';
import { callbackQueues } from './callback-queues.ts';
import { onJob } from './in-queue.ts';
import { given } from './input.ts';
import { operation } from './operation.ts';
import { pageOf } from './options.ts';
import { answers } from './out.ts';

/** A job of a flow as a caller sees it, and its depth, the number of its ancestors. */
export interface ShownNode {
  readonly node: Visible<Partial<Omit<FlowJson, 'children'>>>;
  readonly depth: number;
}

/** Flows: jobs that wait for other jobs. */
export function flowOperations(flows: Flows) {
  return {
    addFlow: operation({
      access: 'add',
      summary:
        'Add a tree of jobs, each of which waits for the jobs below it: all of them, or none',
      description:
        'A job starts once all of its children are completed, and its endpoint gets what they ' +
        'returned. They may be in other queues. Send an `Idempotency-Key` so that a repetition adds ' +
        'nothing.',
      in: { order: given<FlowInput>() },
      out: answers(flowAnswer, 'The stored jobs'),
      errors: ['request-too-large', 'queue-full', 'job-conflict'],
      jobsOf: ({ order }) => [...jobsOf(order)].length,
      queuesOf: ({ order }) => queuesOf(order),
      perform: ({ order }, { trace, identity }) => flows.add(order, trace, identity),
      view: ({ jobs, isRepeated }, caller) => ({
        flow: entitled(addedFlowJson(jobs, (job) => withOptionsShownTo(caller, job))),
        isRepeated,
      }),
    }),
    readFlow: operation({
      access: 'read',
      summary: 'Read a job with the jobs that it waits for, or waited for',
      description:
        'The tree from this job down, with names and states. A job that was removed has no name.',
      in: onJob,
      out: answers(flowAnswer, 'The tree of jobs'),
      errors: ['job-not-found'],
      perform: ({ queue, jobId }) => flows.tree(queue, jobId),
      view: shownNodes,
    }),
    readChildren: operation({
      access: 'read',
      summary: 'Read the outcomes of the children of a job',
      description:
        'The return values of its children or why they failed, by queue and id, as far as they ' +
        'have ended.',
      in: { ...onJob, ...pageOf('children', MOST_FLOW_JOBS, integer(0, MOST_FLOW_JOBS)) },
      out: answers(flowChildrenAnswer, 'The children'),
      errors: ['job-not-found'],
      perform: ({ queue, jobId, ...page }) => flows.children(queue, jobId, page),
      view: shownChildren,
    }),
  };
}

/** All jobs of a flow. */
function* jobsOf(flow: FlowInput): Generator<FlowInput> {
  const rest: FlowInput[] = [flow];
  for (let job = rest.pop(); job !== undefined; job = rest.pop()) {
    yield job;
    for (const child of job.children ?? []) rest.push(child);
  }
}

/** The queue of every job of a flow, and those that callbacks add to. */
function* queuesOf(flow: FlowInput): Generator<string> {
  for (const { queue, opts } of jobsOf(flow)) {
    yield queue;
    yield* callbackQueues([opts?.callback]);
  }
}

/** Leaves out nodes in queues that the caller may not use, and everything below them. */
async function* shownNodes(
  pieces: AsyncIterable<readonly PlacedNode[]>,
  caller: Caller,
): AsyncGenerator<readonly ShownNode[]> {
  let leftOut = Infinity;
  for await (const placed of pieces) {
    const shown: ShownNode[] = [];
    for (const each of placed) {
      const { node, depth } = each;
      if (depth > leftOut) continue;
      const isAllowed = caller.mayUse(node.queue);
      leftOut = isAllowed ? Infinity : depth;
      if (isAllowed) shown.push({ node: shownTo(caller, flowNodeJson(each)), depth });
    }
    yield shown;
  }
}

/** Leaves out children in queues that the caller may not use. */
async function* shownChildren(
  pieces: AsyncIterable<readonly FlowChild[]>,
  caller: Caller,
): AsyncGenerator<readonly Visible<Partial<FlowChild>>[]> {
  for await (const children of pieces) {
    const allowed = children.filter(({ queue }) => caller.mayUse(queue));
    yield allowed.map((child) => shownTo(caller, child));
  }
}
