import type { ClockPort } from '../../../../application/ports/clock-port.ts';
import type { FlowAdded, FlowPort } from '../../../../application/ports/flow-port.ts';
import { queueFull } from '../../../../domain/errors.ts';
import type {
  FailureRule,
  FlowChild,
  JobAddress,
  NewFlowJob,
} from '../../../../domain/flows/flow.ts';
import type { FlowNode } from '../../../../domain/flows/flow-node.ts';
import { jsonText } from '../../../../domain/values/json.ts';
import type { Page } from '../../../../domain/values/page.ts';
import type { QueueName } from '../../../../domain/queues/queue-name.ts';
import type { ScriptArgument } from '../connection/scripts.ts';
import type { StoreCommands } from '../connection/store-commands.ts';
import { runInTime } from '../connection/timely-run.ts';
import { placeOf } from '../jobs/job-place.ts';
import { storedOptions } from '../layout/job-record.ts';
import type { QueueKeysCache } from '../layout/queue-keys-cache.ts';
import { expiringQueuesKey, registryKey } from '../layout/queue-keys.ts';
import { luaScript } from '../lua/load.ts';
import { FlowChildren } from './flow-children.ts';

const addFlowScript = luaScript('add-flow');

/** What BullMQ stores with a child about the effect of its failure on its parent. */
const STORED_RULES: Readonly<Record<FailureRule, object>> = {
  wait: {},
  fail: { fpof: true },
  continue: { cpof: true },
  ignore: { idof: true },
};

type Answer =
  | readonly ['late' | 'added']
  | readonly ['full' | 'exists', number]
  | readonly ['group', position: number, waiting: number];

/** Flows as BullMQ's own flow producers write them, so that producers and native workers can share them. */
export class RedisFlows implements FlowPort {
  readonly #commands: StoreCommands;
  readonly #keys: QueueKeysCache;
  readonly #clock: ClockPort;
  readonly #children: FlowChildren;

  constructor(commands: StoreCommands, keys: QueueKeysCache, clock: ClockPort) {
    this.#commands = commands;
    this.#keys = keys;
    this.#clock = clock;
    this.#children = new FlowChildren(commands, keys.prefix);
  }

  async add(
    jobs: readonly NewFlowJob[],
    maxWaiting: (queue: QueueName) => number | undefined,
    maxWaitingOfGroup: (queue: QueueName) => number | undefined = () => undefined,
  ): Promise<FlowAdded> {
    const { prefix } = this.#keys;
    const flowArgs = flowArguments(prefix, jobs, maxWaiting, maxWaitingOfGroup);
    const size = flowArgs.reduce<number>((sum, each) => sum + String(each).length, 0);
    const answer = await runInTime<Answer>(this.#commands, {
      script: addFlowScript,
      keys: [registryKey(prefix), expiringQueuesKey(prefix)],
      args: (deadline) => [prefix, this.#clock.now(), deadline, ...flowArgs],
      count: flowArgs.length,
      size,
      isTooLate: ([outcome]) => outcome === 'late',
      what: 'a flow',
    });
    if (answer[0] === 'full') throw queueFull(answer[1]);
    if (answer[0] === 'group') {
      return { kind: 'group-full', position: answer[1], waiting: answer[2] };
    }
    return answer[0] === 'exists' ? { kind: 'exists', position: answer[1] } : { kind: 'added' };
  }

  children(queue: QueueName, jobId: string, page?: Page): AsyncIterable<readonly FlowChild[]> {
    return this.#children.read(this.#keys.get(queue).jobPrefix + jobId, page);
  }

  node(queue: QueueName, jobId: string): Promise<FlowNode | undefined> {
    return this.#children.node(this.#keys.get(queue).jobPrefix, queue, jobId);
  }

  childNodes(queue: QueueName, jobId: string, most: number): AsyncIterable<readonly FlowNode[]> {
    return this.#children.nodes(this.#keys.get(queue).jobPrefix + jobId, most);
  }

  childAddresses(queue: QueueName, jobId: string): Promise<readonly JobAddress[]> {
    return this.#children.addresses(this.#keys.get(queue).jobPrefix + jobId);
  }
}

function flowArguments(
  prefix: string,
  jobs: readonly NewFlowJob[],
  maxWaiting: (queue: QueueName) => number | undefined,
  maxWaitingOfGroup: (queue: QueueName) => number | undefined,
): readonly ScriptArgument[] {
  const queues = [...new Set(jobs.map(({ queue }) => queue))];
  const positions = new Map(queues.map((queue, index) => [queue, index + 1]));
  const args: ScriptArgument[] = [queues.length];
  for (const queue of queues) {
    args.push(queue, maxWaiting(queue) ?? '', maxWaitingOfGroup(queue) ?? '');
  }
  for (const { queue, id, job, parent, onFailure, isParent } of jobs) {
    const { name, data, opts } = job;
    const above = parent === undefined ? undefined : jobs[parent];
    const stored = above && {
      id: above.id,
      queueKey: `${prefix}:${above.queue}`,
      ...STORED_RULES[onFailure],
    };
    args.push(
      positions.get(queue) ?? 0,
      placeOf({ ...opts, jobId: id }),
      name,
      jsonText(data),
      storedOptions(opts),
      parent === undefined ? '' : parent + 1,
      stored === undefined ? '' : JSON.stringify(stored),
      (isParent ? 'p' : '') + (opts.jobId === undefined ? '' : 'g'),
    );
  }
  return args;
}
