import { beforeChange } from '../../../../domain/errors.ts';
import { piecesOf } from '../../../../domain/values/pieces.ts';
import type { QueueName } from '../../../../domain/queues/queue-name.ts';
import { DEFAULT_COST } from '../../../../domain/groups/job-group.ts';
import { jsonText } from '../../../../domain/values/json.ts';
import type { ScriptArgument } from '../lua/script.ts';
import type { StoreCommands } from '../connection/store-commands.ts';
import { callInTime } from '../connection/timely-run.ts';
import { COST } from '../layout/attempt-fields.ts';
import { EXPIRES } from '../layout/expiry-keys.ts';
import { GROUP, GROUP_COST, GROUP_ORDER, GROUP_TURNS } from '../layout/group-keys.ts';
import { storedOptions } from '../layout/job-record.ts';
import { DelayedScores, isDelayed } from './delayed-scores.ts';
import { GroupOrders } from './group-orders.ts';
import { addStaged, type AddOutcome } from '../scripts/adds.ts';
import type { RecordedIdentity } from './remembered-adds.ts';
import type { JobToStage } from './job-to-stage.ts';
import type { PlacedJob } from './placed-job.ts';
import { StagedArguments } from './staged-arguments.ts';
import { ownCost } from './job-place.ts';
import { stagedColumns, stagedFacts, type StagedJob } from './staged-columns.ts';
import { StagedJobs, type StagedKey } from './staged-jobs.ts';
import { areDistinct, holdersOf, stagedNames } from './staged-names.ts';
import { StagedWrites } from './staged-writes.ts';

/** The most children of one parent that one command stages. */
const CHILDREN_AT_ONCE = 500;

/** The jobs of one large add or flow. */
export interface JobsToStage {
  readonly jobs: readonly JobToStage[];
  readonly maxWaiting: (queue: QueueName) => number | undefined;
  readonly maxWaitingOfGroup: (queue: QueueName) => number | undefined;
  /** In a flow a job whose id exists keeps all from being added. */
  readonly isFlow: boolean;
  /** The queue in which jobs without an id get numbers, if there are such jobs. */
  readonly numberedIn?: QueueName | undefined;
  /** The queue that remembers them. */
  readonly home: QueueName | undefined;
  /** Whether to store nothing. */
  readonly isDry?: boolean;
  readonly timestamp: number;
  readonly identity?: RecordedIdentity | undefined;
  /** The purpose of the run, for errors. */
  readonly what: string;
}

/**
 * Adds more jobs than one run can store in a short time: all of them or none, and nobody sees a part.
 */
export class StagedAdding {
  readonly #store: StoreCommands;

  constructor(store: StoreCommands) {
    this.#store = store;
  }

  /** @throws DomainError `store-unavailable`, and then nothing is added unless the error `mayBeStored`. */
  async add(add: JobsToStage): Promise<AddOutcome> {
    const progress = { isShowing: false };
    try {
      return await this.#added(add, progress);
    } catch (error) {
      throw progress.isShowing ? error : beforeChange(error);
    }
  }

  async #added(add: JobsToStage, progress: { isShowing: boolean }): Promise<AddOutcome> {
    const { jobs, timestamp, isFlow, numberedIn, isDry = false } = add;
    const queues = [...new Set(jobs.map(({ queue }) => queue))];
    const orders = await this.#orders(jobs);
    const scores = await this.#scores(queues, jobs, timestamp);
    const staged = await StagedJobs.begin(this.#store, numberedIn, jobs.length);
    try {
      const first = Number(staged.first);
      const placed = jobs.map((job, index): PlacedJob => {
        const position = index + 1;
        const id = job.id === '' ? String(first + index) : job.id;
        const key = this.#base(job.queue) + id;
        const isGiven = job.job.opts.jobId !== undefined;
        const hash = isGiven ? staged.hiddenKey(position) : key;
        const holder = this.#holderOf(job);
        return { job, position, id, key, hash, isGiven, order: orders.placeOf(job), holder };
      });
      const keys = await staged.store(keysOf(placed, timestamp));
      const writes = new StagedWrites(timestamp, scores);
      const numbers = new Map(queues.map((queue, index) => [queue, index + 1]));
      const rows = placed.map((each) =>
        stagedJob(each, numbers.get(each.job.queue) ?? 1, writes, timestamp, scores),
      );
      const facts = { queues, orders, placed, staged, keys, writes, rows };
      progress.isShowing = true;
      let answer = await this.#show(add, facts, isFlow || areDistinct(placed));
      if (answer[0] === 'each') answer = await this.#show(add, facts, false);
      // What was added is staged no more.
      if (isDry || answer[0] !== 'added' || answer[2].length > 0) staged.discard();
      if (answer[0] !== 'exists') return answer;
      const existing = placed.filter(({ isGiven }) => isGiven)[answer[1]];
      return ['exists', (existing?.position ?? 1) - 1];
    } catch (error) {
      staged.discard();
      throw error;
    }
  }

  /**
   * Makes the jobs visible, or finds why not.
   *
   * @param areAllNew whether none of them may stand for one that exists: if one does, the answer is "each", and nothing
   * is stored.
   */
  async #show(
    add: JobsToStage,
    { queues, orders, placed, staged, keys, writes, rows }: AddToShow,
    areAllNew: boolean,
  ): Promise<AddOutcome> {
    const { isFlow, timestamp, identity, home, isDry = false } = add;
    const args = new StagedArguments();
    const columns = stagedColumns(rows, areAllNew, args);
    const ids = [0, rows.length - 1] as const;
    const terms = rowsOfQueues(rows, queues.length).map((ofQueue, index) => {
      const name = queues[index] as QueueName;
      const most = { maxWaiting: add.maxWaiting(name), maxOfGroup: add.maxWaitingOfGroup(name) };
      return { name, ...most, lastOrder: orders.last(name), ...stagedFacts(ofQueue, args) };
    });
    const header = {
      ...columns,
      isFlow,
      isDeduplicating: placed.some(({ holder }) => holder !== undefined),
      first: staged.first,
      keys,
      writes: writes.commands(ids, args),
      ...stagedNames(placed, args),
      ...(areAllNew && { holders: holdersOf(placed, ids, args) }),
    };
    const given = {
      prefix: this.#store.prefix,
      timestamp,
      stagedName: staged.name,
      terms: JSON.stringify(terms),
      remembered: identity === undefined ? '' : JSON.stringify(identity),
      home: home ?? '',
      isDry,
      contents: JSON.stringify(header),
    };
    return callInTime(this.#store, addStaged, this.#store.all, given, add.what, args.values);
  }

  /** The places in groups that the jobs get: behind those that are given by now. */
  async #orders(jobs: readonly JobToStage[]): Promise<GroupOrders> {
    const grouped = jobs.filter(({ job }) => job.opts.group !== undefined);
    const given = new Map<QueueName, number>();
    for (const queue of new Set(grouped.map(({ queue }) => queue))) {
      const turns = this.#base(queue) + GROUP_TURNS;
      given.set(queue, Number((await this.#store.run((client) => client.hget(turns, 'o'))) ?? 0));
    }
    return new GroupOrders(given);
  }

  /** The scores that delayed jobs get: behind those of the jobs that are delayed by now. */
  async #scores(
    queues: readonly QueueName[],
    jobs: readonly JobToStage[],
    timestamp: number,
  ): Promise<DelayedScores> {
    const scores = new DelayedScores(this.#store, timestamp);
    for (const queue of queues) {
      const ofQueue = jobs.filter((job) => job.queue === queue);
      await scores.lookUp(queue, `${this.#base(queue)}delayed`, ofQueue);
    }
    return scores;
  }

  #holderOf({ queue, job: { opts } }: JobToStage): PlacedJob['holder'] {
    if (opts.deduplication === undefined) return undefined;
    const { id, ttl = 0, keepLastIfActive = false } = opts.deduplication;
    return {
      key: `${this.#base(queue)}de:${id}`,
      ttl: ttl > 0 && !keepLastIfActive ? String(ttl) : '',
    };
  }

  #base(queue: QueueName): string {
    return `${this.#store.prefix}:${queue}:`;
  }
}

/** What all runs of an add that make it visible have in common. */
interface AddToShow {
  readonly queues: readonly QueueName[];
  readonly orders: GroupOrders;
  readonly placed: readonly PlacedJob[];
  readonly staged: StagedJobs;
  /** How many keys are staged. */
  readonly keys: number;
  readonly writes: StagedWrites;
  readonly rows: readonly StagedJob[];
}

/** The jobs of each queue. */
function rowsOfQueues(rows: readonly StagedJob[], queues: number): readonly StagedJob[][] {
  const ofQueues = Array.from({ length: queues }, (): StagedJob[] => []);
  for (const row of rows) ofQueues[Number(row.queue) - 1]?.push(row);
  return ofQueues;
}

/** The keys to stage: the hashes of the jobs, and the children that parents wait for. */
function* keysOf(placed: readonly PlacedJob[], timestamp: number): Generator<StagedKey, undefined> {
  const children = new Map<number, string[]>();
  for (const { job, key, hash, order } of placed) {
    yield { key: hash, command: 'HSET', args: hashOf(job, order, timestamp) };
    if (job.parent === undefined) continue;
    const siblings = children.get(job.parent.position) ?? [];
    children.set(job.parent.position, siblings);
    siblings.push(key);
  }
  for (const [position, ofParent] of children) {
    const key = `${placed[position]?.hash}:dependencies`;
    for (const args of piecesOf(ofParent, CHILDREN_AT_ONCE)) {
      yield { key, command: 'SADD', args };
    }
  }
}

/** The fields of the hash of a job, with their values. @param order its place in its group. */
export function hashOf(
  { job: { name, data, opts }, parent }: Pick<JobToStage, 'job' | 'parent'>,
  order: string,
  timestamp: number,
): readonly ScriptArgument[] {
  const { delay, priority = 0, group, deduplication, ttl = 0 } = opts;
  const fields: ScriptArgument[] = ['name', name, 'data', jsonText(data), 'opts'];
  fields.push(storedOptions(opts), 'timestamp', timestamp, 'delay', delay, 'priority', priority);
  if (parent !== undefined) fields.push('parentKey', parent.key, 'parent', parent.stored);
  if (group !== undefined) {
    fields.push(GROUP, group.id);
    const { cost: turns = DEFAULT_COST } = group;
    if (turns !== DEFAULT_COST) fields.push(GROUP_COST, turns);
    if (order !== '') fields.push(GROUP_ORDER, order);
  }
  const cost = ownCost(opts);
  if (cost !== '') fields.push(COST, cost);
  if (deduplication !== undefined) fields.push('deid', deduplication.id);
  if (ttl > 0) fields.push(EXPIRES, expiryOf(timestamp, ttl));
  return fields;
}

function stagedJob(
  placed: PlacedJob,
  queue: number,
  writes: StagedWrites,
  timestamp: number,
  scores: DelayedScores,
): StagedJob {
  const { job: of, id, isGiven } = placed;
  const { job, isParent } = of;
  const { ttl = 0, group, deduplication } = job.opts;
  const { id: deduplicationId = '', ...rest } = deduplication ?? {};
  const expires = String(expiryOf(timestamp, ttl));
  return {
    queue: String(queue),
    id,
    name: job.name,
    isParent: isParent ? '1' : '',
    due: isDelayed(of) ? String(scores.dueAt(of)) : '',
    group: group?.id ?? '',
    given: isGiven ? '1' : '',
    cost: ownCost(job.opts),
    deduplicationId,
    deduplication: deduplication === undefined ? '' : JSON.stringify(rest),
    write: String(writes.place(queue, placed)),
    expiry: ttl > 0 ? String(writes.expire(queue, placed, expires)) : '',
  };
}

function expiryOf(timestamp: number, ttl: number): number {
  return Math.min(timestamp + ttl, Number.MAX_SAFE_INTEGER);
}
