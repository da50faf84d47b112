import type { Caller } from '../../domain/access/caller.ts';
import {
  entitled,
  shownTo,
  withOptionsShownTo,
  type Visible,
} from '../../domain/access/visible.ts';
import { addedFlowJson, flowNodeJson, type FlowJson } from '../../domain/flows/flow-json.ts';
import type { PlacedNode } from '../../domain/flows/flow-node.ts';
import type { FlowChild, FlowInput } from '../../domain/flows/flow.ts';
import type { Page } from '../../domain/values/page.ts';
import type { Flows } from '../flows/flows.ts';
import { callbackQueues } from './callback-queues.ts';
import type { OnJob, Ordered } from './in-queue.ts';
import { operation } from './operation.ts';

type AddInput = Ordered<FlowInput>;

/** A job of a flow as a caller sees it, and its depth, the number of its ancestors. */
export interface ShownNode {
  readonly node: Visible<Partial<Omit<FlowJson, 'children'>>>;
  readonly depth: number;
}

/** Flows: jobs that wait for other jobs. */
export function flowOperations(flows: Flows) {
  return {
    add: operation({
      id: 'addFlow',
      access: 'add',
      jobsOf: ({ order }: AddInput) => [...jobsOf(order)].length,
      queuesOf: ({ order }: AddInput) => queuesOf(order),
      perform: ({ order }: AddInput, { trace, identity }) => flows.add(order, trace, identity),
      view: ({ jobs, isRepeated }, caller) => ({
        flow: entitled(addedFlowJson(jobs, (job) => withOptionsShownTo(caller, job))),
        isRepeated,
      }),
    }),
    read: operation({
      id: 'readFlow',
      access: 'read',
      perform: ({ queue, jobId }: OnJob) => flows.tree(queue, jobId),
      view: shownNodes,
    }),
    readChildren: operation({
      id: 'readChildren',
      access: 'read',
      perform: ({ queue, jobId, ...page }: OnJob & Page) => flows.children(queue, jobId, page),
      view: shownChildren,
    }),
  };
}

export type FlowOperations = ReturnType<typeof flowOperations>;

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
