import type { FlowChild, JobAddress, NewFlowJob } from '../../domain/flow.ts';
import type { FlowNode } from '../../domain/flow-node.ts';
import type { Page } from '../../domain/page.ts';
import type { QueueName } from '../../domain/queue-name.ts';

/** How an add of a flow came out; what is not added changes nothing. */
export type FlowAdded =
  | { readonly kind: 'added' }
  /** The job at that position has an id that exists. */
  | { readonly kind: 'exists'; readonly position: number };

/**
 * Stores flows, jobs that wait for other jobs, and reads their children. A parent starts once its last child completed, exactly once
 * whatever ends at the same time. What the failure of a child does is said by the child. Methods throw
 * DomainError `store-unavailable` when the store cannot be reached.
 */
export interface FlowPort {
  /**
   * Stores all the jobs or none, each before its children.
   *
   * @param maxWaiting the most jobs that may wait in a queue, where that is bounded.
   * @throws DomainError `queue-full`.
   */
  add(
    jobs: readonly NewFlowJob[],
    maxWaiting: (queue: QueueName) => number | undefined,
  ): Promise<FlowAdded>;

  /**
   * The children of a job, in the order of their ids; none when it has none or is not there. A piece takes 256 kB, or
   * is one child.
   */
  children(queue: QueueName, jobId: string, page?: Page): AsyncIterable<readonly FlowChild[]>;

  /** A job as a tree shows it; undefined when it is not there. */
  node(queue: QueueName, jobId: string): Promise<FlowNode | undefined>;

  /** The first children of a job as a tree shows them, some dozens in a piece. */
  childNodes(queue: QueueName, jobId: string, most: number): AsyncIterable<readonly FlowNode[]>;

  /** Where these children are, or were when they are gone. */
  childAddresses(queue: QueueName, jobId: string): Promise<readonly JobAddress[]>;
}
