import { DomainError, requestTooLarge } from '../../domain/errors.ts';
import {
  MOST_FLOW_JOBS,
  MOST_FLOW_LEVELS,
  newFlow,
  type FlowChild,
  type FlowInput,
  type FlowJobShape,
  type NewFlowJob,
} from '../../domain/flow.ts';
import type { ReadFlow } from '../../domain/flow-json.ts';
import { jobNotFound } from '../../domain/job-actions.ts';
import { isReservedJobId } from '../../domain/job-id.ts';
import type { Job } from '../../domain/job.ts';
import { jsonText } from '../../domain/json.ts';
import type { Page } from '../../domain/page.ts';
import { piecesOf } from '../../domain/pieces.ts';
import type { QueueName } from '../../domain/queue-name.ts';
import { fitsInBytes } from '../../domain/text.ts';
import type { PoliciesInForce } from '../policies/policies.ts';
import type { FlowPort } from '../ports/flow-port.ts';
import type { QueuePort } from '../ports/queue-port.ts';
import type { TokenPort } from '../ports/token-port.ts';

/** Jobs of a tree that are read at the same time. */
const READ_AT_ONCE = 50;

/** What clients do with jobs that wait for others. */
export class Flows {
  readonly #flows: FlowPort;
  readonly #queues: QueuePort;
  readonly #policies: PoliciesInForce;
  readonly #ids: TokenPort;
  readonly #shape: FlowJobShape;

  constructor(
    flows: FlowPort,
    queues: QueuePort,
    policies: PoliciesInForce,
    ids: TokenPort,
    shape: FlowJobShape,
  ) {
    this.#flows = flows;
    this.#queues = queues;
    this.#policies = policies;
    this.#ids = ids;
    this.#shape = shape;
  }

  /**
   * Adds all jobs of a flow or none. They are returned in one list, each before its children.
   *
   * @throws DomainError `invalid-request` naming the first bad field, `request-too-large`, `queue-full`, or
   * `job-conflict` when a job has an id that exists.
   */
  async add(input: FlowInput): Promise<readonly NewFlowJob[]> {
    if (!this.#policies.areKnown) await this.#policies.known();
    const defaultsOf = (queue: QueueName) => this.#policies.of(queue)?.defaults;
    const jobs = newFlow(input, this.#shape, defaultsOf, this.#ids.draw());
    for (const { queue, id, job } of jobs) {
      const most = this.#policies.of(queue)?.maxJobSize;
      if (most !== undefined && !fitsInBytes(jsonText(job.data), most)) {
        const must = `must be of at most ${most} bytes (maxJobSize of the policy)`;
        throw requestTooLarge(`The data of job ${id} of queue ${queue} ${must}`);
      }
    }
    const added = await this.#flows.add(jobs, (queue) => this.#policies.of(queue)?.maxWaiting);
    if (added.kind === 'added') return jobs;
    const known = jobs[added.position];
    throw new DomainError('job-conflict', `Job ${known?.id} of queue ${known?.queue} exists`);
  }

  /**
   * What became of the children of a job.
   *
   * @throws DomainError `job-not-found`.
   */
  async children(
    queue: QueueName,
    jobId: string,
    page?: Page,
  ): Promise<AsyncIterable<readonly FlowChild[]>> {
    await this.#read(queue, jobId);
    return this.#flows.children(queue, jobId, page);
  }

  /**
   * A job with all that are below it, as many and as deep as a flow may have.
   *
   * @throws DomainError `job-not-found`.
   */
  async tree(queue: QueueName, jobId: string): Promise<ReadFlow> {
    const job = await this.#read(queue, jobId);
    const { id, name, state, returnvalue } = job;
    const root: GrowingTree = { queue, id, name, state, returnvalue, job, children: [] };
    let level: readonly GrowingTree[] = [root];
    let left = MOST_FLOW_JOBS - 1;
    for (let depth = 1; depth < MOST_FLOW_LEVELS && level.length > 0; depth += 1) {
      const next: GrowingTree[] = [];
      for (let first = 0; first < level.length && left > 0; first += READ_AT_ONCE) {
        const some = level.slice(first, first + READ_AT_ONCE);
        const below = await Promise.all(some.map((node) => this.#children(node, left)));
        for (const [index, children] of below.entries()) {
          const node = some[index] as GrowingTree;
          node.children = (await this.#nodes(children.slice(0, left))) as GrowingTree[];
          left -= node.children.length;
          next.push(...node.children);
        }
      }
      level = next;
    }
    return root;
  }

  async #children({ queue, id }: ReadFlow, most: number): Promise<readonly FlowChild[]> {
    const children: FlowChild[] = [];
    const pieces = this.#flows.children(queue as QueueName, id, { start: 0, length: most });
    for await (const piece of pieces) children.push(...piece);
    return children;
  }

  async #nodes(children: readonly FlowChild[]): Promise<readonly GrowingTree[]> {
    const nodes: GrowingTree[] = [];
    for (const some of piecesOf(children, READ_AT_ONCE)) {
      const jobs = await Promise.all(
        some.map(({ queue, id }) => this.#queues.find(queue as QueueName, id)),
      );
      some.forEach((child, index) => nodes.push({ ...child, job: jobs[index], children: [] }));
    }
    return nodes;
  }

  async #read(queue: QueueName, jobId: string): Promise<Job> {
    const job = isReservedJobId(jobId) ? undefined : await this.#queues.find(queue, jobId);
    if (job === undefined) throw jobNotFound();
    return job;
  }
}

/** A tree whose next level is still to be read. */
type GrowingTree = Omit<ReadFlow, 'children'> & { children: GrowingTree[] };
