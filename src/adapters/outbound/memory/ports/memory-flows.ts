/* eslint-disable @typescript-eslint/require-await -- async turns what a step throws into a rejection */
import { setImmediate } from 'node:timers/promises';
import type { FlowAdded, FlowPort, FlowRecalled } from '../../../../application/ports/flow-port.ts';
import type { JobAddress, NewFlowJob } from '../../../../domain/flows/flow.ts';
import { MAX_TREE_VALUE, type FlowNode } from '../../../../domain/flows/flow-node.ts';
import type { AddIdentity } from '../../../../domain/jobs/add-identity.ts';
import type { QueueName } from '../../../../domain/queues/queue-name.ts';
import { rememberedAdd, rememberOther } from '../../../../domain/transitions/add-once.ts';
import { addFlow, madeFlowJob } from '../../../../domain/transitions/add-flow.ts';
import { keptOrMade } from '../../../../domain/values/kept-or-made.ts';
import { boundedPieces, piecesOf } from '../../../../domain/values/pieces.ts';
import { Adding } from './adding.ts';
import { readChildren, type ReadChild } from './child-reading.ts';
import { childNode, flowNode } from './flow-nodes.ts';
import { LARGEST_PIECE } from '../records/kept-values.ts';
import type { MemoryStore } from '../state/memory-store.ts';
import type { StoredQueue } from '../state/stored-queue.ts';
import { Steps } from './steps.ts';
import { JobReading, readJob } from './job-reading.ts';
import { shownChild } from './shown-children.ts';

/** The most children shown in one turn of the event loop. */
const PIECE = 25;

/** Flows in the memory of this process. */
export function memoryFlows(store: MemoryStore, steps = new Steps()): FlowPort {
  const adding = new Adding(store, steps);
  /** The children of a job with what they returned. See `readChildren`. */
  const read = async (
    { queue, id }: JobAddress,
    children: readonly JobAddress[],
    longest?: number,
  ): Promise<readonly ReadChild[]> => {
    const found = store.find(queue);
    return found === undefined ? [] : readChildren(found, id, children, longest);
  };
  return {
    add: async (jobs, maxWaiting, maxWaitingOfGroup = () => undefined, once) => {
      const root = jobs[0]?.queue;
      const known = (now: number): FlowRecalled | undefined => {
        const found = root === undefined ? undefined : store.find(root);
        return once && found && recalled(found, once.identity, now);
      };
      return adding.run<FlowAdded | FlowRecalled>({
        jobs: jobs.map(({ job }) => job),
        queueOf: (position) => (jobs[position] as NewFlowJob).queue,
        hasParents: jobs.every(({ isParent, job }) => !isParent || job.opts.jobId === undefined),
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
            rememberOther(store.open(root), once.identity, { flow: once.origin }, now);
          }
          return { kind: 'added' };
        },
      });
    },
    recall: async (queue, identity) =>
      store.stepIfAny(queue, (found, now) => recalled(found, identity, now)),
    /** Others have their turn before each piece. */
    async *children(queue, id, { start, length } = { start: 0, length: Infinity }) {
      const children = store.childrenOf(queue, id).slice(start, start + length);
      const most = { size: LARGEST_PIECE };
      for (const some of boundedPieces(children, ({ ending }) => ending?.length ?? 0, most)) {
        for (const few of piecesOf(some, PIECE)) {
          await setImmediate();
          const found = await read({ queue, id }, few);
          yield found.map(({ child, returned }) => shownChild(store, child, returned));
        }
      }
    },
    node: async (queue, id) => {
      const job = await readJob(store, { queue, id });
      return job && flowNode(queue, job, job.returnvalue);
    },
    /** Others have their turn before each piece. */
    async *childNodes(queue, id, most) {
      for (const some of piecesOf(store.childrenOf(queue, id).slice(0, most), PIECE)) {
        await setImmediate();
        yield await nodesOf(store, await read({ queue, id }, some, MAX_TREE_VALUE));
      }
    },
    childAddresses: async (name, jobId) =>
      store.childrenOf(name, jobId).map(({ queue, id }) => ({ queue, id })),
  };
}

/** Reads the children of one queue together, in pieces of bounded size. */
async function nodesOf(
  store: MemoryStore,
  children: readonly ReadChild[],
): Promise<readonly FlowNode[]> {
  const nodes = new Map<ReadChild, FlowNode>();
  for (const [queue, ofQueue] of byQueue(children)) {
    const found = store.find(queue);
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

function byQueue(children: readonly ReadChild[]): ReadonlyMap<QueueName, readonly ReadChild[]> {
  const found = new Map<QueueName, ReadChild[]>();
  for (const each of children) {
    keptOrMade(found, each.child.queue, () => []).push(each);
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
