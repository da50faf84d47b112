import { EXPIRING } from '../layout/expiry-keys.ts';
import { GROUP_WAITING } from '../layout/group-keys.ts';
import { isDelayed, type DelayedScores } from './delayed-scores.ts';
import type { PlacedJob } from './placed-job.ts';
import type { Piece, StagedArguments } from './staged-arguments.ts';

type Command = 'LPUSH' | 'RPUSH' | 'ZADD';

/** A command of the run that makes jobs visible: the number of the queue, and its values. */
type StagedWrite = readonly [queue: number, command: Command, key: string, ...values: Piece];

/** The commands that write jobs to the keys of their queues. */
export class StagedWrites {
  readonly #timestamp: number;
  readonly #scores: DelayedScores;
  readonly #writes: [queue: number, command: Command, key: string, values: string[]][] = [];
  readonly #numbers = new Map<string, number>();

  constructor(timestamp: number, scores: DelayedScores) {
    this.#timestamp = timestamp;
    this.#scores = scores;
  }

  /** Brings a job to its place. @returns the number of the command, beginning with 1. */
  place(queue: number, { job, id, order }: PlacedJob): number {
    const { priority = 0, lifo = false, group } = job.job.opts;
    if (job.isParent) {
      return this.#add(queue, 'ZADD', 'waiting-children', String(this.#timestamp), id);
    }
    if (isDelayed(job)) {
      return this.#add(queue, 'ZADD', 'delayed', String(this.#scores.next(job)), id);
    }
    if (group !== undefined) {
      return this.#add(queue, 'ZADD', GROUP_WAITING, '0', `${group.id}\0${order}${id}`);
    }
    if (priority > 0) return this.#add(queue, 'ZADD', 'prioritized', String(priority), id);
    return this.#add(queue, lifo ? 'RPUSH' : 'LPUSH', 'wait', id);
  }

  /** Notes by when (epoch ms) a job has to start. @returns as `place`. */
  expire(queue: number, { id }: PlacedJob, expires: string): number {
    return this.#add(queue, 'ZADD', EXPIRING, expires, id);
  }

  /** The commands, with their values among the arguments. @param ids where those of all jobs are. */
  commands(ids: Piece, args: StagedArguments): readonly StagedWrite[] {
    const isOfAll = (command: Command, values: readonly string[]): boolean =>
      command !== 'ZADD' && values.length === ids[1] - ids[0] + 1;
    return this.#writes.map(([queue, command, key, values]) => [
      ...([queue, command, key] as const),
      // Mostly all of the jobs go to the same list, and their ids are there.
      ...(isOfAll(command, values) ? ids : args.place(values)),
    ]);
  }

  #add(queue: number, command: Command, key: string, ...values: readonly string[]): number {
    const name = `${queue} ${command} ${key}`;
    const known = this.#numbers.get(name);
    if (known !== undefined) {
      this.#writes[known - 1]?.[3].push(...values);
      return known;
    }
    const number = this.#writes.push([queue, command, key, [...values]]);
    this.#numbers.set(name, number);
    return number;
  }
}
