import type { ClockPort } from '../../../../application/ports/clock-port.ts';
import type {
  FlowAdded,
  FlowOnce,
  FlowPort,
  FlowRecalled,
} from '../../../../application/ports/flow-port.ts';
import { queueFull } from '../../../../domain/errors.ts';
import type { FlowChild } from '../../../../domain/flows/flow-child.ts';
import type {
  FailureRule,
  FlowOrigin,
  JobAddress,
  NewFlowJob,
} from '../../../../domain/flows/flow.ts';
import type { FlowNode } from '../../../../domain/flows/flow-node.ts';
import type { AddIdentity } from '../../../../domain/jobs/add-identity.ts';
import type { Page } from '../../../../domain/values/page.ts';
import type { QueueName } from '../../../../domain/queues/queue-name.ts';
import { jsonText } from '../../../../domain/values/json.ts';
import type { StoreCommands } from '../connection/store-commands.ts';
import { callInTime } from '../connection/timely-run.ts';
import { placeOf } from '../jobs/job-place.ts';
import { claimed, recalled } from '../jobs/remembered-adds.ts';
import type { JobToStage } from '../jobs/job-to-stage.ts';
import { StagedAdding, type JobsToStage } from '../jobs/staged-adding.ts';
import { MOST_SPECIAL_JOBS_PER_RUN } from '../jobs/staged-limits.ts';
import { storedOptions } from '../layout/job-record.ts';
import type { ScriptArgument } from '../lua/script.ts';
import { FlowChildren } from './flow-children.ts';
import { addFlow, type AddOutcome, type Recalled } from '../scripts/adds.ts';

/** What BullMQ stores with a child about the effect of its failure on its parent. */
const STORED_RULES: Readonly<Record<FailureRule, object>> = {
  wait: {},
  fail: { fpof: true },
  continue: { cpof: true },
  ignore: { idof: true },
};

/** What all jobs of a flow that is added have in common. */
type FlowTerms = Omit<JobsToStage, 'jobs' | 'isFlow'>;

/** The bound of a queue, if it has one. */
type BoundOfQueue = (queue: QueueName) => number | undefined;

/** Flows as BullMQ's own flow producers write them, so that producers and native workers can share them. */
export class RedisFlows implements FlowPort {
  readonly #store: StoreCommands;
  readonly #clock: ClockPort;
  readonly #children: FlowChildren;
  readonly #adding: StagedAdding;

  constructor(store: StoreCommands, clock: ClockPort) {
    this.#store = store;
    this.#clock = clock;
    this.#children = new FlowChildren(store);
    this.#adding = new StagedAdding(store);
  }

  async add(
    jobs: readonly NewFlowJob[],
    maxWaiting: BoundOfQueue,
    maxWaitingOfGroup: BoundOfQueue = () => undefined,
    once?: FlowOnce,
  ): Promise<FlowAdded | FlowRecalled> {
    const identity = once && { ...once.identity, defaults: JSON.stringify(once.origin) };
    const timestamp = this.#clock.now();
    const terms = { maxWaiting, maxWaitingOfGroup, identity, timestamp, what: 'a flow' };
    const isLarge = jobs.length > MOST_SPECIAL_JOBS_PER_RUN;
    const answer = await (isLarge ? this.#addStaged(jobs, terms) : this.#addAtOnce(jobs, terms));
    switch (answer[0]) {
      case 'added':
        return { kind: 'added' };
      case 'exists':
        return { kind: 'exists', position: answer[1] };
      case 'group':
        return { kind: 'group-full', position: answer[1], waiting: answer[2] };
      case 'full':
        throw queueFull(answer[1]);
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

  #addAtOnce(
    jobs: readonly NewFlowJob[],
    { maxWaiting, maxWaitingOfGroup, identity, timestamp, what }: FlowTerms,
  ): Promise<AddOutcome> {
    const { prefix } = this.#store;
    const queues = [...new Set(jobs.map(({ queue }) => queue))];
    const remembered = identity === undefined ? '' : JSON.stringify(identity);
    const args = { prefix, timestamp, remembered, queueCount: queues.length };
    const rest = [
      ...queues.flatMap((each) => [each, maxWaiting(each) ?? '', maxWaitingOfGroup(each) ?? '']),
      ...jobs.flatMap((each) => argumentsOf(each, prefix, jobs, queues)),
    ];
    return callInTime(this.#store, addFlow, this.#store.all, args, what, rest);
  }

  async #addStaged(jobs: readonly NewFlowJob[], terms: FlowTerms): Promise<AddOutcome> {
    const { prefix } = this.#store;
    const { identity } = terms;
    const root = jobs[0]?.queue;
    if (identity !== undefined && root !== undefined) {
      const known = await claimed(this.#store, this.#store.keysOf(root), identity);
      if (known !== undefined) return known;
    }
    const toStage = jobs.map((each) => {
      const { queue, id, job, isParent } = each;
      return { queue, id, job, isParent, parent: parentOf(each, prefix, jobs) };
    });
    return this.#adding.add({ jobs: toStage, isFlow: true, ...terms });
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

function argumentsOf(
  each: NewFlowJob,
  prefix: string,
  jobs: readonly NewFlowJob[],
  queues: readonly QueueName[],
): readonly ScriptArgument[] {
  const { queue, id, job, parent, isParent } = each;
  const { name, data, opts } = job;
  return [
    queues.indexOf(queue) + 1,
    placeOf({ ...opts, jobId: id }),
    name,
    jsonText(data),
    storedOptions(opts),
    parent === undefined ? '' : parent + 1,
    parentOf(each, prefix, jobs)?.stored ?? '',
    (isParent ? 'p' : '') + (opts.jobId === undefined ? '' : 'g'),
  ];
}

/** The parent of a job, and the JSON that BullMQ stores about it. */
function parentOf(
  { parent: position, onFailure }: NewFlowJob,
  prefix: string,
  jobs: readonly NewFlowJob[],
): JobToStage['parent'] {
  const above = position === undefined ? undefined : jobs[position];
  if (position === undefined || above === undefined) return undefined;
  const { id, queue } = above;
  const queueKey = `${prefix}:${queue}`;
  const stored = JSON.stringify({ id, queueKey, ...STORED_RULES[onFailure] });
  return { position, key: `${queueKey}:${id}`, stored };
}
