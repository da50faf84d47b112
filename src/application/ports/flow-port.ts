import type { FlowChild } from '../../domain/flows/flow-child.ts';
import type { FlowOrigin, JobAddress, NewFlowJob } from '../../domain/flows/flow.ts';
import type { FlowNode } from '../../domain/flows/flow-node.ts';
import type { AddIdentity } from '../../domain/jobs/add-identity.ts';
import type { Page } from '../../domain/values/page.ts';
import type { QueueName } from '../../domain/queues/queue-name.ts';
import type { FlowRefusal } from '../../domain/transitions/add-flow.ts';
import type { Natures } from './nature.ts';

/** The outcome of adding a flow. */
export type FlowAdded = { readonly kind: 'added' } | FlowRefusal;

/** The outcome of an add whose key is taken: nothing is stored. */
export type FlowRecalled =
  | { readonly kind: 'repeated'; readonly origin: FlowOrigin }
  /** `other`: an add with another body used the key. `running`: the first add is still in progress. */
  | { readonly kind: 'other' | 'running' };

/** The identity of a flow that is remembered, and the defaults of its jobs. */
export interface FlowOnce {
  readonly identity: AddIdentity;
  readonly origin: FlowOrigin;
}

/**
 * Stores flows, jobs that wait for other jobs, and reads their children. A parent starts once its last child has
 * completed, exactly once even if children end concurrently. The child defines the effect of its failure. Methods throw
 * DomainError `store-unavailable` when the store cannot be reached.
 */
export interface FlowPort {
  /**
   * Stores all the jobs or none, each before its children.
   *
   * @param maxWaiting how many jobs may wait in a queue, if it has a limit.
   * @param maxWaitingOfGroup the same for groups whose settings have no such limit; unlimited by default.
   * @param once remembers the flow in the same step, as `addOnce` of QueuePort does, in the queue of its first job: a
   * flow whose key is known is not added.
   * @throws DomainError `queue-full`.
   */
  add(
    jobs: readonly NewFlowJob[],
    maxWaiting: (queue: QueueName) => number | undefined,
    maxWaitingOfGroup?: (queue: QueueName) => number | undefined,
    once?: FlowOnce,
  ): Promise<FlowAdded | FlowRecalled>;

  /** What `add` returns when the key is known; undefined when it is not. @param queue of the first job. */
  recall(queue: QueueName, identity: AddIdentity): Promise<FlowRecalled | undefined>;

  /**
   * The children of a job, ordered by id; none when the job has none or does not exist. A piece has up to 256 kB, or
   * one child.
   */
  children(queue: QueueName, jobId: string, page?: Page): AsyncIterable<readonly FlowChild[]>;

  /** A job as a tree contains it; undefined when it does not exist. */
  node(queue: QueueName, jobId: string): Promise<FlowNode | undefined>;

  /** The first children of a job as a tree contains them, some dozens per piece. */
  childNodes(queue: QueueName, jobId: string, most: number): AsyncIterable<readonly FlowNode[]>;

  /** The addresses of the children, including those of removed ones. */
  childAddresses(queue: QueueName, jobId: string): Promise<readonly JobAddress[]>;
}

export const FLOW_NATURES: Natures<FlowPort> = {
  add: { is: 'adds', inPieces: true },
  recall: 'reads queue',
  children: 'streams store',
  node: 'reads job',
  childNodes: 'streams store',
  childAddresses: 'reads queue',
};
