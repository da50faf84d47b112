import type { FlowAdded, FlowPort } from '../../../application/ports/flow-port.ts';
import type { FlowChild, JobAddress, NewFlowJob } from '../../../domain/flows/flow.ts';
import type { FlowNode } from '../../../domain/flows/flow-node.ts';
import type { Page } from '../../../domain/values/page.ts';
import type { QueueName } from '../../../domain/queues/queue-name.ts';
import type { QueueAccounts } from './queue-accounts.ts';
import type { StoreTimer } from './store-timer.ts';

/** Flows as the store has them, with the time that its calls take and the number of the jobs added to each queue. */
export class MeasuredFlows implements FlowPort {
  readonly #flows: FlowPort;
  readonly #accounts: QueueAccounts;
  readonly #timer: StoreTimer;

  constructor(flows: FlowPort, accounts: QueueAccounts, timer: StoreTimer) {
    this.#flows = flows;
    this.#accounts = accounts;
    this.#timer = timer;
  }

  add(
    jobs: readonly NewFlowJob[],
    maxWaiting: (queue: QueueName) => number | undefined,
  ): Promise<FlowAdded> {
    const count = (outcome: FlowAdded): FlowAdded => {
      if (outcome.kind !== 'added') return outcome;
      for (const { queue } of jobs) this.#accounts.of(queue).count('added', 1);
      return outcome;
    };
    return this.#timer.time(this.#flows.add(jobs, maxWaiting).then(count));
  }

  /** Its pieces are read as they are wanted, which says nothing of the store. */
  children(queue: QueueName, jobId: string, page?: Page): AsyncIterable<readonly FlowChild[]> {
    return this.#flows.children(queue, jobId, page);
  }

  node(queue: QueueName, jobId: string): Promise<FlowNode | undefined> {
    return this.#timer.time(this.#flows.node(queue, jobId));
  }

  childNodes(queue: QueueName, jobId: string, most: number): AsyncIterable<readonly FlowNode[]> {
    return this.#flows.childNodes(queue, jobId, most);
  }

  childAddresses(queue: QueueName, jobId: string): Promise<readonly JobAddress[]> {
    return this.#timer.time(this.#flows.childAddresses(queue, jobId));
  }
}
