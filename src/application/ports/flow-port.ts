import type { FlowChild, JobAddress, NewFlowJob } from '../../domain/flow.ts';
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

  /** The children of a job in pieces, in the order of their ids; none when it has none or is not there. */
  children(queue: QueueName, jobId: string, page?: Page): AsyncIterable<readonly FlowChild[]>;

  /** Where these children are, or were when they are gone. */
  childAddresses(queue: QueueName, jobId: string): Promise<readonly JobAddress[]>;
}
