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

/** Most children that are shown in one turn of the event loop. */
const PIECE = 25;

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
    const position = jobs.findIndex(({ queue, id }) => this.#store.find(queue)?.findStored(id));
    if (position !== -1) return { kind: 'exists', position };
    for (const queue of new Set(jobs.map((job) => job.queue))) {
      this.#checkRoom(queue, jobs, maxWaiting(queue));
      const starting = jobs.map((each) =>
        each.queue === queue && !each.isParent ? each : undefined,
      );
      const full = this.#store.open(queue).firstWithoutRoom(
        starting.map((each) => each && { group: each.job.opts.group, delay: each.job.opts.delay }),
        maxWaitingOfGroup(queue),
      );
      if (full) return { kind: 'group-full', position: full.position, waiting: full.waiting };
    }
    const now = this.#store.now();
    // Making a job may throw, so all are made before the first is stored.
    const stored = jobs.map((job) => storedFlowJob(job, jobs, now));
    jobs.forEach(({ queue, parent, onFailure }, index) => {
      const job = stored[index] as StoredJob;
      if (parent !== undefined) {
        stored[parent]?.children?.add({ queue, id: job.id, onFailure });
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
    const job = this.#store.find(queue)?.findStored(jobId);
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
      yield some.map((child) =>
        childNode(child, this.#store.find(child.queue)?.findStored(child.id)),
      );
    }
  }

  async childAddresses(queue: QueueName, jobId: string): Promise<readonly JobAddress[]> {
    return this.#store
      .childrenOf(queue, jobId)
      .map((child) => ({ queue: child.queue, id: child.id }));
  }

  #checkRoom(queue: QueueName, jobs: readonly NewFlowJob[], most: number | undefined): void {
    if (most === undefined) return;
    const added = jobs.filter((job) => {
      return job.queue === queue && !job.isParent && job.job.opts.delay === 0;
    }).length;
    const known = this.#store.find(queue);
    const waiting = known === undefined ? 0 : known.count('waiting') + known.count('prioritized');
    if (added > 0 && waiting + added > most) throw queueFull(most);
  }
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
