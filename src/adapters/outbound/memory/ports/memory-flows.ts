/* eslint-disable @typescript-eslint/require-await -- async turns what a step throws into a rejection */
import { setImmediate } from 'node:timers/promises';
import type { FlowAdded, FlowPort } from '../../../../application/ports/flow-port.ts';
import { queueFull } from '../../../../domain/errors.ts';
import type { FlowChild, JobAddress, NewFlowJob } from '../../../../domain/flows/flow.ts';
import type { FlowNode } from '../../../../domain/flows/flow-node.ts';
import type { Page } from '../../../../domain/values/page.ts';
import { piecesOf } from '../../../../domain/values/pieces.ts';
import type { QueueName } from '../../../../domain/queues/queue-name.ts';
import { childNode, Children, flowNode } from '../state/children.ts';
import type { MemoryStore } from '../state/memory-store.ts';
import { runs } from '../state/pieces.ts';
import { storedJob, type StoredJob } from '../state/stored-job.ts';

/** The most children shown in one turn of the event loop. */
const PIECE = 25;

interface StartingJob extends Pick<NewFlowJob, 'job'> {
  readonly position: number;
}

/** Flows in the memory of this process. */
export class MemoryFlows implements FlowPort {
  readonly #store: MemoryStore;

  constructor(store: MemoryStore) {
    this.#store = store;
  }

  async add(
    jobs: readonly NewFlowJob[],
    maxWaiting: (queue: QueueName) => number | undefined,
    maxWaitingOfGroup: (queue: QueueName) => number | undefined = () => undefined,
  ): Promise<FlowAdded> {
    const position = jobs.findIndex(({ queue, id }) => this.#store.find(queue)?.findListed(id));
    if (position !== -1) return { kind: 'exists', position };
    for (const [queue, starting] of startingJobs(jobs)) {
      this.#checkRoom(queue, starting, maxWaiting(queue));
      const grouped = starting.filter(({ job }) => job.opts.group !== undefined);
      // Peeking at a queue without any adds constructs an empty one, so it is done only where jobs have groups.
      if (grouped.length === 0) continue;
      const full = this.#store.peek(queue).firstWithoutRoom(
        grouped.map(({ job }) => ({ group: job.opts.group, delay: job.opts.delay })),
        maxWaitingOfGroup(queue),
      );
      if (full) {
        const { position: refused } = grouped[full.position] as StartingJob;
        return { kind: 'group-full', position: refused, waiting: full.waiting };
      }
    }
    const now = this.#store.now();
    // Making a job may throw, so all are made before the first is stored.
    const stored = jobs.map((job) => storedFlowJob(job, jobs, now));
    jobs.forEach(({ queue, parent, onFailure }, index) => {
      const job = stored[index] as StoredJob;
      if (parent !== undefined) {
        stored[parent]?.children?.add({ queue, id: job.id, number: index, onFailure });
      }
    });
    jobs.forEach(({ queue }, index) => {
      this.#store.open(queue).addOfFlow(stored[index] as StoredJob);
    });
    return { kind: 'added' };
  }

  /** Others have their turn before each piece. */
  async *children(
    queue: QueueName,
    jobId: string,
    { start, length }: Page = { start: 0, length: Infinity },
  ): AsyncGenerator<readonly FlowChild[]> {
    const children = this.#store.childrenOf(queue, jobId).slice(start, start + length);
    for (const some of runs(children, ({ ending }) => ending?.returnvalue.length ?? 0)) {
      for (const few of piecesOf(some, PIECE)) {
        await setImmediate();
        yield few.map((child) => this.#store.shownChild(child));
      }
    }
  }

  async node(queue: QueueName, jobId: string): Promise<FlowNode | undefined> {
    const job = await this.#store.find(queue)?.reading.one(jobId);
    return job && flowNode(queue, job);
  }

  /** Others have their turn before each piece. */
  async *childNodes(
    queue: QueueName,
    jobId: string,
    most: number,
  ): AsyncGenerator<readonly FlowNode[]> {
    for (const some of piecesOf(this.#store.childrenOf(queue, jobId).slice(0, most), PIECE)) {
      await setImmediate();
      yield Promise.all(
        some.map(async (child) =>
          childNode(child, await this.#store.find(child.queue)?.reading.one(child.id)),
        ),
      );
    }
  }

  async childAddresses(queue: QueueName, jobId: string): Promise<readonly JobAddress[]> {
    return this.#store
      .childrenOf(queue, jobId)
      .map((child) => ({ queue: child.queue, id: child.id }));
  }

  #checkRoom(queue: QueueName, starting: readonly StartingJob[], most: number | undefined): void {
    if (most === undefined) return;
    const added = starting.filter(({ job }) => job.opts.delay === 0).length;
    const known = this.#store.find(queue);
    const waiting = known === undefined ? 0 : known.count('waiting') + known.count('prioritized');
    if (added > 0 && waiting + added > most) throw queueFull(most);
  }
}

/** The jobs of a flow that have no children and so may start at once, by queue, with their positions in the flow. */
function startingJobs(jobs: readonly NewFlowJob[]): ReadonlyMap<QueueName, readonly StartingJob[]> {
  const byQueue = new Map<QueueName, StartingJob[]>();
  for (const [position, { queue, job, isParent }] of jobs.entries()) {
    if (isParent) continue;
    const ofQueue = byQueue.get(queue) ?? [];
    ofQueue.push({ position, job });
    byQueue.set(queue, ofQueue);
  }
  return byQueue;
}

function storedFlowJob(
  { id, job, parent, onFailure, isParent }: NewFlowJob,
  jobs: readonly NewFlowJob[],
  now: number,
): StoredJob {
  const above = parent === undefined ? undefined : jobs[parent];
  return {
    ...storedJob(id, job, now),
    ...(above && { parent: { queue: above.queue, id: above.id, onFailure } }),
    ...(isParent && { children: new Children() }),
  };
}
