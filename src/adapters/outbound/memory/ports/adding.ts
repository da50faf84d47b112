import { randomUUID } from 'node:crypto';
import { setImmediate as turn } from 'node:timers/promises';
import { beforeChange, storeUnavailable } from '../../../../domain/errors.ts';
import type { JobOptions } from '../../../../domain/jobs/job-options.ts';
import type { NewJob } from '../../../../domain/jobs/job.ts';
import type { QueueName } from '../../../../domain/queues/queue-name.ts';
import type { JobRecord } from '../../../../domain/records/job-record.ts';
import { JsonText, type Json } from '../../../../domain/values/json.ts';
import { boundedPieces } from '../../../../domain/values/pieces.ts';
import { keptOrMade } from '../../../../domain/values/kept-or-made.ts';
import type { MemoryStore } from '../state/memory-store.ts';
import type { StagedPart } from '../state/staged-jobs.ts';
import { MOST_IN_PIECE, MOST_IN_SMALL, type Steps } from './steps.ts';

/** The length of a number, a boolean or null. */
const SHORT = 5;

/** An add to one queue or several. */
export interface Add<Answer> {
  readonly jobs: readonly NewJob[];
  /** About how many characters the step that adds all writes besides; none unless given. */
  readonly besides?: number;
  readonly queueOf: (position: number) => QueueName;
  /** Whether the parents of its jobs are among them, under ids of the service's own. */
  readonly hasParents?: boolean;
  /**
   * The first step of an add that is staged.
   *
   * @returns the answer where nothing is to be added.
   */
  readonly begin: (now: number) => Answer | undefined;
  /** The record of a job of an add that is staged. @param now the time of the first step. */
  readonly make: (position: number, now: number) => JobRecord;
  /**
   * The step that adds all jobs, or none.
   *
   * @param staged the records that were made of them, and the time of the first step, where they are staged.
   */
  readonly all: (now: number, staged?: StagedAdd) => Answer | Promise<Answer>;
  /** Takes that step once all that it reads is in memory; at once unless given. */
  readonly onceAtHand?: (step: () => Answer | Promise<Answer>) => Promise<Answer>;
}

export interface StagedAdd {
  readonly records: readonly JobRecord[];
  /** Epoch ms. */
  readonly at: number;
}

interface StagedKey {
  readonly queue: QueueName;
  readonly key: string;
  readonly part: StagedPart;
}

/**
 * Adds jobs: all of them or none, and nobody sees a part (docs/adr/0042). What is large of many jobs, their payloads, is
 * stored before them in pieces; one step, small for each job, then makes all of them visible.
 */
export class Adding {
  readonly #store: MemoryStore;
  readonly #steps: Steps;

  constructor(store: MemoryStore, steps: Steps) {
    this.#store = store;
    this.#steps = steps;
  }

  /** @throws whatever the step that adds all throws, or DomainError `store-unavailable`. */
  async run<Answer>(add: Add<Answer>): Promise<Answer> {
    const step = this.#lastStep(add, (now) => add.all(now));
    if (isSmall(add)) return this.#steps.small(step);
    const most = { count: MOST_IN_PIECE.jobs, size: MOST_IN_PIECE.characters };
    const pieces = boundedPieces(byQueue(add), (at) => lengthOf(add.jobs[at] as NewJob), most);
    if (pieces.length <= 1) return this.#steps.piece(step);
    return this.#steps.staged(() => this.#staged(add, pieces));
  }

  async #staged<Answer>(add: Add<Answer>, pieces: readonly (readonly number[])[]): Promise<Answer> {
    let at = 0;
    let early: Answer | undefined;
    await this.#piece(() => {
      early = this.#store.run((now) => add.begin((at = now)));
    });
    if (early !== undefined) return early;
    const records = new Array<JobRecord>(add.jobs.length);
    const keys: StagedKey[] = [];
    try {
      for (const positions of pieces) {
        await this.#piece(() => {
          for (const position of positions) records[position] = add.make(position, at);
          keys.push(...this.#stage(add, positions, records, at));
        });
      }
      const last = (now: number) => {
        if (!this.#areStaged(keys)) throw storeUnavailable(new Error('What was staged is gone'));
        try {
          return add.all(now, { records, at });
        } finally {
          this.#end(keys);
        }
      };
      const answer = await this.#steps.piece(this.#lastStep(add, last));
      await this.#keep(keys);
      return answer;
    } catch (error) {
      // Nothing is left of what was added or refused; of the rest, whatever this cannot discard expires.
      this.#steps.small(() => this.#end(keys)).catch(() => undefined);
      throw error;
    }
  }

  #lastStep<Answer>(
    { onceAtHand }: Add<Answer>,
    step: (now: number) => Answer | Promise<Answer>,
  ): () => Answer | Promise<Answer> {
    const run = () => this.#store.run(step);
    return onceAtHand === undefined ? run : () => onceAtHand(run);
  }

  /** @throws as `Steps.piece` does, where nothing of the add is stored. */
  async #piece(step: () => void): Promise<void> {
    try {
      await this.#steps.piece(step);
    } catch (error) {
      throw beforeChange(error);
    }
  }

  #stage(
    { jobs, queueOf, hasParents }: Pick<Add<unknown>, 'jobs' | 'queueOf' | 'hasParents'>,
    positions: readonly number[],
    records: readonly JobRecord[],
    at: number,
  ): readonly StagedKey[] {
    const { stagesRecords } = this.#steps;
    const parts = new Map<string, StagedPart>();
    const partOf = (queue: QueueName, areForeseen: boolean): StagedPart =>
      keptOrMade(parts, `${queue}:${areForeseen}`, () => {
        return { queue, areForeseen, jobs: [], children: new Map() };
      });
    for (const number of positions) {
      const record = records[number] as JobRecord;
      const queue = queueOf(number);
      const areForeseen = stagesRecords && isForeseen(record, jobs[number]?.opts);
      partOf(queue, areForeseen).jobs.push(record);
      const { id, parent } = record;
      if (!stagesRecords || hasParents !== true || parent === undefined) continue;
      const { children } = partOf(parent.queue, areForeseen);
      const { onFailure } = parent;
      keptOrMade(children, parent.id, () => []).push({ queue, id, number, onFailure });
    }
    return Array.from(parts.values(), (part) => {
      const { queue } = part;
      const key = randomUUID();
      this.#store.open(queue).staged.put(key, at, part);
      return { queue, key, part };
    });
  }

  /** Not if a queue was removed meanwhile, or another replica took this one for gone. */
  #areStaged(keys: readonly StagedKey[]): boolean {
    return keys.every(({ queue, key }) => this.#store.find(queue)?.staged.has(key) === true);
  }

  /** Has the payloads of jobs that the last step did not write leave the memory, except the newest ones. In turns. */
  async #keep(staged: readonly StagedKey[]): Promise<void> {
    const stored = staged.filter(({ part }) => part.areForeseen);
    const most = { size: MOST_IN_PIECE.jobs };
    for (const some of boundedPieces(stored, ({ part }) => part.jobs.length, most)) {
      await turn();
      for (const { queue, part } of some) this.#store.find(queue)?.keep(part.jobs);
    }
  }

  #end(keys: readonly StagedKey[]): void {
    for (const { queue, key } of keys) this.#store.find(queue)?.staged.end(key);
  }
}

/** The positions of the jobs. Those of a queue follow each other, so that few pieces have some of it. */
function byQueue({ jobs, queueOf }: Pick<Add<unknown>, 'jobs' | 'queueOf'>): readonly number[] {
  const positions = new Map<QueueName, number[]>();
  for (const at of jobs.keys()) keptOrMade(positions, queueOf(at), () => []).push(at);
  return [...positions.values()].flat();
}

/** Whether the record of a job is known before the step that adds it, but for its place, which can be reserved. */
function isForeseen({ isParent, lifo, priority, delay }: JobRecord, opts?: JobOptions): boolean {
  const { jobId, deduplication } = opts ?? {};
  const isFirstToLast = !lifo && priority === 0 && delay === 0;
  return isFirstToLast && (jobId ?? deduplication ?? isParent) === undefined;
}

function isSmall({ jobs, besides = 0 }: Pick<Add<unknown>, 'jobs' | 'besides'>): boolean {
  if (jobs.length > MOST_IN_SMALL.jobs) return false;
  let characters = besides;
  for (const job of jobs) characters += lengthOf(job);
  return characters <= MOST_IN_SMALL.characters;
}

function lengthOf({ name, data }: NewJob): number {
  return name.length + roughLength(data);
}

/** About how many characters a value has as JSON text, at a fraction of the cost of writing it. */
function roughLength(value: Json | JsonText): number {
  if (typeof value === 'string') return value.length;
  if (typeof value !== 'object' || value === null) return SHORT;
  if (value instanceof JsonText) return value.text.length;
  let length = 0;
  if (Array.isArray(value)) {
    for (const each of value) length += roughLength(each);
    return length;
  }
  for (const name of Object.keys(value)) length += name.length + roughLength(value[name] ?? null);
  return length;
}
