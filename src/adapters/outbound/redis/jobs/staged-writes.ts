import { EXPIRING } from '../layout/expiry-keys.ts';
import { GROUP_WAITING } from '../layout/group-keys.ts';
import type { Piece, StagedArguments } from './staged-arguments.ts';
import type { StagedJob } from './staged-columns.ts';

/** What is known of the jobs of one queue before they become visible. */
export interface StagedFacts {
  readonly jobs: number;
  /** How many would wait. */
  readonly toWait: number;
  readonly hasGroups: boolean;
  readonly isAnyDelayed: boolean;
  /** Earliest start deadline (epoch ms), if any. */
  readonly firstExpiry: number | undefined;
  /** The groups with waiting jobs, as fields of the hash of turns, in the order of their first such jobs. */
  readonly fields: Piece;
  /** Behind how many of these groups the first job without a group waits; undefined without one. */
  readonly ungroupedAfter: number | undefined;
}

/** A command of the run that makes jobs visible: the number of the queue, and its values. */
type StagedWrite = readonly [
  queue: number,
  command: 'LPUSH' | 'RPUSH' | 'ZADD',
  key: string,
  ...values: Piece,
];

/** The jobs of each queue, by where they go. */
export function gatheredJobs(
  jobs: readonly StagedJob[],
  queues: number,
  timestamp: number,
): readonly GatheredJobs[] {
  const gathered = Array.from({ length: queues }, () => new GatheredJobs(String(timestamp)));
  for (const job of jobs) gathered[Number(job.queue) - 1]?.add(job);
  return gathered;
}

/** The commands that write all jobs to the keys of their queues, if each is new. @param ids where those of all jobs are. */
export function stagedWrites(
  gathered: readonly GatheredJobs[],
  ids: Piece,
  args: StagedArguments,
): readonly StagedWrite[] {
  const writes: StagedWrite[] = [];
  for (const [index, each] of gathered.entries()) {
    for (const [command, key, values] of each.commands()) {
      if (values.length === 0) continue;
      // Mostly all of the jobs go to the same list, and their ids are there.
      const isAll = values === each.behind && values.length === ids[1] - ids[0] + 1;
      writes.push([index + 1, command, key, ...(isAll ? ids : args.place(values))]);
    }
  }
  return writes;
}

/** The jobs of one queue, by where they go. */
export class GatheredJobs {
  /** Those that go to the list behind others. */
  readonly behind: string[] = [];
  readonly #timestamp: string;
  readonly #ahead: string[] = [];
  readonly #byPriority: string[] = [];
  readonly #delayed: string[] = [];
  readonly #expiring: string[] = [];
  readonly #parents: string[] = [];
  readonly #members: string[] = [];
  readonly #groups = new Set<string>();
  #jobs = 0;
  #toWait = 0;
  #hasGroups = false;
  #firstExpiry: number | undefined;
  #ungroupedAfter: number | undefined;

  constructor(timestamp: string) {
    this.#timestamp = timestamp;
  }

  add(job: StagedJob): void {
    const { id, group, expires } = job;
    this.#jobs += 1;
    if (group !== '') this.#hasGroups = true;
    if (expires !== '') {
      this.#expiring.push(expires, id);
      this.#firstExpiry = Math.min(this.#firstExpiry ?? Infinity, Number(expires));
    }
    if (job.isParent !== '') this.#parents.push(this.#timestamp, id);
    else if (job.due !== '') this.#delayed.push(job.score, id);
    else this.#wait(job);
  }

  commands(): readonly (readonly [StagedWrite[1], key: string, values: readonly string[]])[] {
    return [
      ['ZADD', 'prioritized', this.#byPriority],
      ['RPUSH', 'wait', this.#ahead],
      ['LPUSH', 'wait', this.behind],
      ['ZADD', 'delayed', this.#delayed],
      ['ZADD', EXPIRING, this.#expiring],
      ['ZADD', 'waiting-children', this.#parents],
      ['ZADD', GROUP_WAITING, this.#members],
    ];
  }

  /** What is known of them. */
  facts(args: StagedArguments): StagedFacts {
    const fields = args.place([...this.#groups].map((group) => `g${group}`));
    return {
      jobs: this.#jobs,
      toWait: this.#toWait,
      hasGroups: this.#hasGroups,
      isAnyDelayed: this.#delayed.length > 0,
      firstExpiry: this.#firstExpiry,
      fields,
      ungroupedAfter: this.#ungroupedAfter,
    };
  }

  #wait({ id, group, member, priority, lifo }: StagedJob): void {
    this.#toWait += 1;
    if (group !== '') {
      this.#groups.add(group);
      this.#members.push('0', member);
      return;
    }
    this.#ungroupedAfter ??= this.#groups.size;
    if (priority !== '') this.#byPriority.push(priority, id);
    else if (lifo !== '') this.#ahead.push(id);
    else this.behind.push(id);
  }
}
