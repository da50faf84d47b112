import { DomainError, existing, groupFull, requestTooLarge } from '../../domain/errors.ts';
import type { FlowChild } from '../../domain/flows/flow-child.ts';
import {
  MOST_FLOW_JOBS,
  MOST_FLOW_LEVELS,
  newFlow,
  type FlowInput,
  type FlowJobShape,
  type FlowOrigin,
  type NewFlowJob,
} from '../../domain/flows/flow.ts';
import type { FlowNode, PlacedNode } from '../../domain/flows/flow-node.ts';
import { keyRefused, type AddIdentity } from '../../domain/jobs/add-identity.ts';
import { isReservedJobId } from '../../domain/jobs/job-id.ts';
import type { Page } from '../../domain/values/page.ts';
import { mistakeInSize } from '../../domain/policies/job-size.ts';
import type { PolicyDefaults } from '../../domain/policies/policy.ts';
import type { QueueName } from '../../domain/queues/queue-name.ts';
import { namesCalled, type CalledOptions } from '../destinations/called-options.ts';
import { UnsettledAdds } from '../running/unsettled-adds.ts';
import type { PoliciesInForce } from '../policies/policies.ts';
import { groupsOfJobs } from '../policies/group-defaults.ts';
import type { AttemptObserver } from '../ports/attempt-observer.ts';
import type { CommonPorts } from '../ports/common-ports.ts';
import type { FlowOnce, FlowPort, FlowRecalled } from '../ports/flow-port.ts';
import type { TraceContext, TracingPort } from '../ports/tracing-port.ts';
import { carried } from '../../domain/jobs/made-jobs.ts';
import { traced } from '../running/traced.ts';
import type { TokenPort } from '../ports/token-port.ts';
import type { WorkersInForce } from '../kept/known-workers.ts';

export interface FlowsDependencies extends Pick<CommonPorts, 'flows' | 'observer' | 'tracing'> {
  readonly policies: PoliciesInForce;
  readonly calledOptions: Pick<CalledOptions, 'prepared'>;
  readonly workers: WorkersInForce;
  readonly ids: TokenPort;
  readonly shape: FlowJobShape;
}

/** The jobs of a flow, each before its children, and whether its add was a repeat that added nothing. */
export interface RepeatableFlow {
  readonly jobs: readonly NewFlowJob[];
  readonly isRepeated: boolean;
}

/** Adds and reads flows: jobs that wait for other jobs. */
export class Flows {
  readonly #flows: FlowPort;
  readonly #unsettled = new UnsettledAdds();
  readonly #policies: PoliciesInForce;
  readonly #calledOptions: FlowsDependencies['calledOptions'];
  readonly #workers: WorkersInForce;
  readonly #ids: TokenPort;
  readonly #observer: AttemptObserver;
  readonly #tracing: TracingPort | undefined;
  readonly #shape: FlowJobShape;

  constructor(dependencies: FlowsDependencies) {
    this.#flows = dependencies.flows;
    this.#policies = dependencies.policies;
    this.#calledOptions = dependencies.calledOptions;
    this.#workers = dependencies.workers;
    this.#ids = dependencies.ids;
    this.#observer = dependencies.observer;
    this.#tracing = dependencies.tracing;
    this.#shape = dependencies.shape;
  }

  /**
   * Adds all jobs of a flow or none. With an identity it adds nothing if an earlier request already did; policy changes
   * since then are ignored.
   *
   * @param context the trace of the request, if it has one.
   * @throws DomainError `invalid-request` naming the first bad field, `request-too-large`, `queue-full`, `job-conflict`
   * when a job has an id that exists, `idempotency-key-reused` when the key was used for a different add, or
   * `idempotency-key-in-use` while the first one is in progress.
   */
  add(input: FlowInput, context?: TraceContext, identity?: AddIdentity): Promise<RepeatableFlow> {
    const add = () => this.#added(input, context, identity);
    return identity === undefined ? add() : this.#unsettled.run(identity, add);
  }

  async #added(
    input: FlowInput,
    context: TraceContext | undefined,
    identity: AddIdentity | undefined,
  ): Promise<RepeatableFlow> {
    if (!this.#policies.areKnown) await this.#policies.known();
    const known = identity && (await this.#flows.recall(input.queue, identity));
    if (known !== undefined) return this.#recalled(input, known);
    const defaultsOf = (queue: QueueName) => this.#policies.of(queue)?.defaults;
    const id = this.#ids.draw();
    const jobs = this.#prepared(newFlow(input, this.#shape, defaultsOf, id));
    for (const { queue, id, job } of jobs) {
      const mistake = mistakeInSize(job.data, this.#policies.of(queue)?.maxJobSize);
      if (mistake !== undefined) {
        throw requestTooLarge(`The data of job ${id} of queue ${queue} ${mistake}`);
      }
    }
    const root = jobs[0]?.queue;
    const origin = { id, defaults: identity === undefined ? [] : defaultsIn(jobs, defaultsOf) };
    const span = root && this.#tracing?.add(root, jobs.length, context);
    return traced(span, (carrier) => {
      const once = identity && { identity, origin: { ...origin, ...(carrier && { carrier }) } };
      return this.#add(input, carried(jobs, carrier), once);
    });
  }

  /** The flow as its first add was answered. */
  #recalled(input: FlowInput, known: FlowRecalled): RepeatableFlow {
    if (known.kind !== 'repeated') throw keyRefused(known.kind);
    const { id, defaults, carrier }: FlowOrigin = known.origin;
    const ofQueues = new Map(defaults);
    const jobs = newFlow(input, this.#shape, (queue) => ofQueues.get(queue), id);
    return { jobs: carried(jobs, carrier), isRepeated: true };
  }

  /** The jobs with what they call as it is stored. @throws DomainError `invalid-request` naming the field. */
  #prepared(jobs: readonly NewFlowJob[]): readonly NewFlowJob[] {
    if (!jobs.some(({ job }) => namesCalled(job.opts))) return jobs;
    const paths = optionPaths(jobs);
    return jobs.map((each, index) => {
      const opts = this.#calledOptions.prepared(each.queue, each.job.opts, paths[index] ?? '');
      return { ...each, job: { ...each.job, opts } };
    });
  }

  async #add(
    input: FlowInput,
    jobs: readonly NewFlowJob[],
    once: FlowOnce | undefined,
  ): Promise<RepeatableFlow> {
    const paths = optionPaths(jobs);
    const parts = { policies: this.#policies, workers: this.#workers };
    const groups = await groupsOfJobs(jobs, (position) => paths[position] ?? '', parts);
    const added = await this.#flows.add(
      jobs,
      (queue) => this.#policies.of(queue)?.maxWaiting,
      (queue) => groups.get(queue)?.maxWaiting,
      once,
    );
    switch (added.kind) {
      case 'added':
        for (const [queue, added] of countsOf(jobs)) {
          this.#observer.observe({ kind: 'added', queue, jobs: added });
        }
        return { jobs, isRepeated: false };
      case 'group-full': {
        const { opts } = jobs[added.position]?.job ?? {};
        throw groupFull(paths[added.position] ?? '', opts?.group?.id ?? '', added.waiting);
      }
      case 'exists': {
        const { id, queue } = jobs[added.position] ?? {};
        throw new DomainError('job-conflict', `Job ${id} of queue ${queue} exists`);
      }
      default:
        return this.#recalled(input, added);
    }
  }

  /**
   * The outcomes of the children of a job.
   *
   * @throws DomainError `job-not-found`.
   */
  async children(
    queue: QueueName,
    jobId: string,
    page?: Page,
  ): Promise<AsyncIterable<readonly FlowChild[]>> {
    await this.#node(queue, jobId);
    return this.#flows.children(queue, jobId, page);
  }

  /**
   * A job with all its descendants, each before its own children, up to the size and depth limits of a flow.
   *
   * @throws DomainError `job-not-found`.
   */
  async tree(queue: QueueName, jobId: string): Promise<AsyncIterable<readonly PlacedNode[]>> {
    return this.#from(await this.#node(queue, jobId));
  }

  async *#from(root: FlowNode): AsyncGenerator<readonly PlacedNode[]> {
    yield [{ node: root, depth: 0 }];
    if (root.isParent) yield* this.#below({ node: root, depth: 0 }, { jobs: MOST_FLOW_JOBS - 1 });
  }

  /**
   * While the children of one of its nodes are read, the rest of a piece waits in memory: little data, on a few levels.
   */
  async *#below(
    { node: { queue, id }, depth: above }: PlacedNode,
    left: { jobs: number },
  ): AsyncGenerator<readonly PlacedNode[]> {
    const depth = above + 1;
    if (depth === MOST_FLOW_LEVELS || left.jobs === 0) return;
    for await (const nodes of this.#flows.childNodes(queue, id, left.jobs)) {
      let placed: PlacedNode[] = [];
      for (const node of nodes) {
        if (left.jobs === 0) break;
        left.jobs -= 1;
        placed.push({ node, depth });
        if (!node.isParent) continue;
        yield placed;
        placed = [];
        yield* this.#below({ node, depth }, left);
      }
      yield placed;
    }
  }

  async #node(queue: QueueName, jobId: string): Promise<FlowNode> {
    return existing(
      isReservedJobId(jobId) ? undefined : await this.#flows.node(queue, jobId),
      'job',
    );
  }
}

/** The paths of the `opts` of each job in the request. */
function optionPaths(jobs: readonly NewFlowJob[]): readonly string[] {
  const nodes: string[] = [];
  const children = new Map<number, number>();
  for (const { parent } of jobs) {
    if (parent === undefined) {
      nodes.push('');
      continue;
    }
    const index = children.get(parent) ?? 0;
    children.set(parent, index + 1);
    nodes.push(`${nodes[parent] ?? ''}children[${index}].`);
  }
  return nodes.map((node) => `${node}opts`);
}

/** The defaults of the queues of a flow, for queues with some. */
function defaultsIn(
  jobs: readonly NewFlowJob[],
  defaultsOf: (queue: QueueName) => PolicyDefaults | undefined,
): FlowOrigin['defaults'] {
  return [...new Set(jobs.map(({ queue }) => queue))].flatMap((queue) => {
    const defaults = defaultsOf(queue);
    return defaults === undefined ? [] : [[queue, defaults] as const];
  });
}

function countsOf(jobs: readonly NewFlowJob[]): ReadonlyMap<QueueName, number> {
  const counts = new Map<QueueName, number>();
  for (const { queue } of jobs) counts.set(queue, (counts.get(queue) ?? 0) + 1);
  return counts;
}
