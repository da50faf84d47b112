import type { QueueName } from '../../../../domain/queues/queue-name.ts';
import { DEFAULT_COST } from '../../../../domain/groups/job-group.ts';
import { jsonText } from '../../../../domain/values/json.ts';
import type { ScriptArgument } from '../connection/scripts.ts';
import type { StoreCommands } from '../connection/store-commands.ts';
import { runInTime } from '../connection/timely-run.ts';
import { EXPIRES } from '../layout/expiry-keys.ts';
import { GROUP, GROUP_COST, GROUP_ORDER, GROUP_TURNS } from '../layout/group-keys.ts';
import { storedOptions } from '../layout/job-record.ts';
import { expiringQueuesKey, registryKey } from '../layout/queue-keys.ts';
import { luaScript } from '../lua/load.ts';
import { GroupOrders } from './group-orders.ts';
import type { RecordedIdentity, Recalled } from './remembered-adds.ts';
import type { JobToStage } from './job-to-stage.ts';
import { stagedColumns, type StagedJob } from './staged-columns.ts';
import { StagedJobs } from './staged-jobs.ts';

const addStagedScript = luaScript('add-staged');

/** The jobs of one large add or flow. */
export interface JobsToStage {
  readonly jobs: readonly JobToStage[];
  readonly maxWaiting: (queue: QueueName) => number | undefined;
  readonly maxWaitingOfGroup: (queue: QueueName) => number | undefined;
  /** In a flow a job whose id exists keeps all from being added. */
  readonly isFlow: boolean;
  readonly timestamp: number;
  readonly identity?: RecordedIdentity | undefined;
  /** The purpose of the run, for errors. */
  readonly what: string;
}

/** What the script answers. Positions are those of the jobs. */
export type StagedAnswer =
  | readonly ['late']
  | readonly ['full', most: number]
  | readonly ['group', position: number, waiting: number]
  | readonly ['exists', position: number]
  | readonly [
      'added',
      first: string,
      existing: readonly (readonly [position: number, id: string, isDeduplicated: 0 | 1])[],
    ]
  | Recalled;

/** Adds more jobs than one run can store in a short time: all of them or none, and nobody sees a part. */
export class StagedAdding {
  readonly #commands: StoreCommands;
  readonly #prefix: string;

  constructor(commands: StoreCommands, prefix: string) {
    this.#commands = commands;
    this.#prefix = prefix;
  }

  /** @throws DomainError `store-unavailable`, and then nothing is added. */
  async add(add: JobsToStage): Promise<StagedAnswer> {
    const { jobs, timestamp, isFlow, identity } = add;
    const queues = [...new Set(jobs.map(({ queue }) => queue))];
    const orders = await this.#orders(jobs);
    const places = jobs.map((each) => orders.placeOf(each));
    const staged = new StagedJobs(this.#commands, this.#base(queues[0] as QueueName), jobs.length);
    try {
      await staged.store((position) =>
        hashOf(jobs[position] as JobToStage, places[position] ?? '', timestamp),
      );
      const numbers = new Map(queues.map((queue, index) => [queue, String(index + 1)]));
      const columns = stagedColumns(
        jobs.map((each, position) =>
          stagedJob(each, numbers.get(each.queue) ?? '', places[position] ?? ''),
        ),
        isFlow,
      );
      const terms = queues.map((queue) => [
        queue,
        add.maxWaiting(queue) ?? false,
        add.maxWaitingOfGroup(queue) ?? false,
        orders.last(queue),
      ]);
      const answer = await runInTime<StagedAnswer>(this.#commands, {
        script: addStagedScript,
        keys: [registryKey(this.#prefix), expiringQueuesKey(this.#prefix)],
        args: (deadline) => [
          this.#prefix,
          timestamp,
          deadline,
          staged.name,
          JSON.stringify(terms),
          identity === undefined ? '' : JSON.stringify(identity),
          ...columns,
        ],
        count: columns.length,
        size: columns.reduce<number>((sum, each) => sum + String(each).length, 0),
        isTooLate: ([outcome]) => outcome === 'late',
        what: add.what,
      });
      // The hashes of jobs that were added have other names by now.
      if (answer[0] !== 'added' || answer[2].length > 0) staged.discard();
      return answer;
    } catch (error) {
      staged.discard();
      throw error;
    }
  }

  /** The places in groups that the jobs get: behind those that are given by now. */
  async #orders(jobs: readonly JobToStage[]): Promise<GroupOrders> {
    const grouped = jobs.filter(({ job }) => job.opts.group !== undefined);
    const given = new Map<QueueName, number>();
    for (const queue of new Set(grouped.map(({ queue }) => queue))) {
      const turns = this.#base(queue) + GROUP_TURNS;
      const { client, errors } = this.#commands;
      given.set(queue, Number((await errors.run(() => client.hget(turns, 'o'))) ?? 0));
    }
    return new GroupOrders(given);
  }

  #base(queue: QueueName): string {
    return `${this.#prefix}:${queue}:`;
  }
}

function hashOf(
  { job: { name, data, opts }, parent }: JobToStage,
  order: string,
  timestamp: number,
): readonly ScriptArgument[] {
  const { delay, priority = 0, group, deduplication, ttl = 0 } = opts;
  const fields: ScriptArgument[] = ['name', name, 'data', jsonText(data), 'opts'];
  fields.push(storedOptions(opts), 'timestamp', timestamp, 'delay', delay, 'priority', priority);
  if (parent !== undefined) fields.push(...parent.fields);
  if (group !== undefined) {
    fields.push(GROUP, group.id);
    const { cost = DEFAULT_COST } = group;
    if (cost !== DEFAULT_COST) fields.push(GROUP_COST, cost);
    if (order !== '') fields.push(GROUP_ORDER, order);
  }
  if (deduplication !== undefined) fields.push('deid', deduplication.id);
  if (ttl > 0) fields.push(EXPIRES, Math.min(timestamp + ttl, Number.MAX_SAFE_INTEGER));
  return fields;
}

function stagedJob(
  { id, job: { name, opts }, parent, isParent }: JobToStage,
  queue: string,
  order: string,
): StagedJob {
  const { delay, priority = 0, lifo = false, ttl = 0, group, deduplication, jobId } = opts;
  return {
    queue,
    terms: `${delay}:${priority}:${lifo ? 1 : 0}:${ttl}:${isParent ? 1 : 0}`,
    name,
    id,
    group: group?.id ?? '',
    order,
    parent: parent === undefined ? '' : String(parent.position + 1),
    deduplication: deduplication === undefined ? '' : JSON.stringify(deduplication),
    isGiven: jobId === undefined ? '' : '1',
  };
}
