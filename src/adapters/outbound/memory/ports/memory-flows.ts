/* eslint-disable @typescript-eslint/require-await -- async turns what a step throws into a rejection */
import { setImmediate } from 'node:timers/promises';
import type {
  FlowAdded,
  FlowOnce,
  FlowPort,
  FlowRecalled,
} from '../../../../application/ports/flow-port.ts';
import type { FlowChild } from '../../../../domain/flows/flow-child.ts';
import type { JobAddress, NewFlowJob } from '../../../../domain/flows/flow.ts';
import { MAX_TREE_VALUE, type FlowNode } from '../../../../domain/flows/flow-node.ts';
import type { AddIdentity } from '../../../../domain/jobs/add-identity.ts';
import type { QueueName } from '../../../../domain/queues/queue-name.ts';
import { rememberedAdd, rememberFlow } from '../../../../domain/transitions/add-once.ts';
import { addFlow, madeFlowJob } from '../../../../domain/transitions/add-flow.ts';
import type { Page } from '../../../../domain/values/page.ts';
import { piecesOf } from '../../../../domain/values/pieces.ts';
import { Adding } from './adding.ts';
import { readChildren, type ReadChild } from './child-reading.ts';
import { childNode, flowNode } from './flow-nodes.ts';
import type { MemoryStore } from '../state/memory-store.ts';
import type { StoredQueue } from '../state/stored-queue.ts';
import { runs } from './pieces.ts';
import { Steps } from './steps.ts';
import { JobReading, readJob } from './job-reading.ts';
import { shownChild } from './shown-children.ts';

/** The most children shown in one turn of the event loop. */
const PIECE = 25;

/** Flows in the memory of this process. */
export class MemoryFlows implements FlowPort {
  readonly #store: MemoryStore;
  readonly #adding: Adding;

  constructor(store: MemoryStore, steps = new Steps()) {
    this.#store = store;
    this.#adding = new Adding(store, steps);
  }

  async add(
    jobs: readonly NewFlowJob[],
    maxWaiting: (queue: QueueName) => number | undefined,
    maxWaitingOfGroup: (queue: QueueName) => number | undefined = () => undefined,
    once?: FlowOnce,
  ): Promise<FlowAdded | FlowRecalled> {
    const store = this.#store;
    const root = jobs[0]?.queue;
    const known = (now: number): FlowRecalled | undefined => {
      const found = root === undefined ? undefined : store.find(root);
      return once && found && recalled(found, once.identity, now);
    };
    return this.#adding.run<FlowAdded | FlowRecalled>({
      jobs: jobs.map(({ job }) => job),
      queueOf: (position) => (jobs[position] as NewFlowJob).queue,
      begin: known,
      make: (position, now) => madeFlowJob(jobs[position] as NewFlowJob, jobs, now),
      all: (now, staged) => {
        const repeated = known(now);
        if (repeated !== undefined) return repeated;
        const refusal = addFlow(
          jobs,
          { maxWaiting, maxWaitingOfGroup },
          (queue) => store.find(queue),
          (queue) => store.open(queue),
          now,
          staged?.records,
        );
        if (refusal !== undefined) return refusal;
        if (once !== undefined && root !== undefined) {
          rememberFlow(store.open(root), once.identity, once.origin, now);
        }
        return { kind: 'added' };
      },
    });
  }

  async recall(queue: QueueName, identity: AddIdentity): Promise<FlowRecalled | undefined> {
    return this.#store.stepIfAny(queue, (found, now) => recalled(found, identity, now));
  }

  /** Others have their turn before each piece. */
  async *children(
    queue: QueueName,
    jobId: string,
    { start, length }: Page = { start: 0, length: Infinity },
  ): AsyncGenerator<readonly FlowChild[]> {
    const children = this.#store.childrenOf(queue, jobId).slice(start, start + length);
    for (const some of runs(children, ({ ending }) => ending?.length ?? 0)) {
      for (const few of piecesOf(some, PIECE)) {
        await setImmediate();
        const read = await this.#read({ queue, id: jobId }, few);
        yield read.map(({ child, returned }) => shownChild(this.#store, child, returned));
      }
    }
  }

  async node(queue: QueueName, jobId: string): Promise<FlowNode | undefined> {
    const job = await readJob(this.#store, { queue, id: jobId });
    return job && flowNode(queue, job, job.returnvalue);
  }

  /** Others have their turn before each piece. */
  async *childNodes(
    queue: QueueName,
    jobId: string,
    most: number,
  ): AsyncGenerator<readonly FlowNode[]> {
    for (const some of piecesOf(this.#store.childrenOf(queue, jobId).slice(0, most), PIECE)) {
      await setImmediate();
      yield await this.#nodesOf(await this.#read({ queue, id: jobId }, some, MAX_TREE_VALUE));
    }
  }

  /** The children of a job with what they returned. See `readChildren`. */
  async #read(
    { queue, id }: JobAddress,
    children: readonly JobAddress[],
    longest?: number,
  ): Promise<readonly ReadChild[]> {
    const found = this.#store.find(queue);
    return found === undefined ? [] : readChildren(found, id, children, longest);
  }

  /** Reads the children of one queue together, in pieces of bounded size. */
  async #nodesOf(children: readonly ReadChild[]): Promise<readonly FlowNode[]> {
    const nodes = new Map<ReadChild, FlowNode>();
    for (const [queue, ofQueue] of byQueue(children)) {
      const found = this.#store.find(queue);
      if (found === undefined) continue;
      const byId = new Map(ofQueue.map((each) => [each.child.id, each]));
      for await (const jobs of new JobReading(found).pieces([...byId.keys()])) {
        for (const job of jobs) {
          const each = byId.get(job.id);
          if (each !== undefined) nodes.set(each, childNode(each, job));
        }
      }
    }
    return children.map((each) => nodes.get(each) ?? childNode(each, undefined));
  }

  async childAddresses(queue: QueueName, jobId: string): Promise<readonly JobAddress[]> {
    return this.#store
      .childrenOf(queue, jobId)
      .map((child) => ({ queue: child.queue, id: child.id }));
  }
}

function byQueue(children: readonly ReadChild[]): ReadonlyMap<QueueName, readonly ReadChild[]> {
  const found = new Map<QueueName, ReadChild[]>();
  for (const each of children) {
    const { queue } = each.child;
    const ofQueue = found.get(queue) ?? [];
    found.set(queue, ofQueue);
    ofQueue.push(each);
  }
  return found;
}

/** The key of a flow, as the queue of its first job remembers it. */
function recalled(
  { adds }: StoredQueue,
  { key, body }: AddIdentity,
  now: number,
): FlowRecalled | undefined {
  const known = rememberedAdd(adds, key, now);
  if (known === undefined) return undefined;
  const { flow: origin } = known;
  return origin === undefined || known.body !== body
    ? { kind: 'other' }
    : { kind: 'repeated', origin };
}
