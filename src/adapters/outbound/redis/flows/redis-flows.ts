import type { ClockPort } from '../../../../application/ports/clock-port.ts';
import type {
  FlowAdded,
  FlowOnce,
  FlowPort,
  FlowRecalled,
} from '../../../../application/ports/flow-port.ts';
import type { FlowChild } from '../../../../domain/flows/flow-child.ts';
import type { FlowOrigin, JobAddress, NewFlowJob } from '../../../../domain/flows/flow.ts';
import type { FlowNode } from '../../../../domain/flows/flow-node.ts';
import type { AddIdentity } from '../../../../domain/jobs/add-identity.ts';
import { flowWithoutRoom } from '../../../../domain/transitions/add-flow.ts';
import type { Page } from '../../../../domain/values/page.ts';
import type { QueueName } from '../../../../domain/queues/queue-name.ts';
import type { StoreCommands } from '../connection/store-commands.ts';
import { recalled } from '../jobs/remembered-adds.ts';
import { addToQueues, lackingRoom } from './adding-to-queues.ts';
import { FlowChildren } from './flow-children.ts';
import type { Recalled } from '../scripts/adds.ts';

/** The bound of a queue, if it has one. */
type BoundOfQueue = (queue: QueueName) => number | undefined;

/** Flows as BullMQ's own flow producers write them, so that producers and native workers can share them. */
export class RedisFlows implements FlowPort {
  readonly #store: StoreCommands;
  readonly #clock: ClockPort;
  readonly #children: FlowChildren;

  constructor(store: StoreCommands, clock: ClockPort) {
    this.#store = store;
    this.#clock = clock;
    this.#children = new FlowChildren(store);
  }

  async add(
    jobs: readonly NewFlowJob[],
    maxWaiting: BoundOfQueue,
    maxWaitingOfGroup: BoundOfQueue = () => undefined,
    once?: FlowOnce,
  ): Promise<FlowAdded | FlowRecalled> {
    const identity = once && { ...once.identity, defaults: JSON.stringify(once.origin) };
    const timestamp = this.#clock.now();
    const home = jobs[0]?.queue;
    const limits = { maxWaiting, maxWaitingOfGroup };
    const terms = { ...limits, identity, home, timestamp, what: 'a flow' };
    const answer = await addToQueues(this.#store, jobs, true, terms);
    switch (answer[0]) {
      case 'added':
        return { kind: 'added' };
      case 'exists':
        return { kind: 'exists', position: answer[1] };
      case 'full':
        return flowWithoutRoom(lackingRoom(answer, jobs), limits);
      case 'repeated':
      case 'other':
      case 'running':
        return shownRecall(answer);
      default:
        throw new Error(`A flow cannot end with ${answer[0]}`);
    }
  }

  async recall(queue: QueueName, identity: AddIdentity): Promise<FlowRecalled | undefined> {
    const known = await recalled(this.#store, this.#store.keysOf(queue), identity);
    return known && shownRecall(known);
  }

  children(queue: QueueName, jobId: string, page?: Page): AsyncIterable<readonly FlowChild[]> {
    return this.#children.read(this.#store.keysOf(queue).jobPrefix + jobId, page);
  }

  node(queue: QueueName, jobId: string): Promise<FlowNode | undefined> {
    return this.#children.node(this.#store.keysOf(queue).jobPrefix, queue, jobId);
  }

  childNodes(queue: QueueName, jobId: string, most: number): AsyncIterable<readonly FlowNode[]> {
    return this.#children.nodes(this.#store.keysOf(queue).jobPrefix + jobId, most);
  }

  childAddresses(queue: QueueName, jobId: string): Promise<readonly JobAddress[]> {
    return this.#children.addresses(this.#store.keysOf(queue).jobPrefix + jobId);
  }
}

function shownRecall(known: Recalled): FlowRecalled {
  if (known[0] !== 'repeated') return { kind: known[0] };
  const [kind, , , , origin = ''] = known;
  return { kind, origin: JSON.parse(origin) as FlowOrigin };
}
