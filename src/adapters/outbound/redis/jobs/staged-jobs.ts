import { randomUUID } from 'node:crypto';
import type { QueueName } from '../../../../domain/queues/queue-name.ts';
import { piecesAsMade } from '../../../../domain/values/pieces.ts';
import type { ScriptArgument } from '../lua/script.ts';
import type { StoreCommands } from '../connection/store-commands.ts';
import { ownKey } from '../layout/own-keys.ts';
import { STAGED_PREFIX } from '../layout/staging-keys.ts';
import { beginStaging, discardSome, stageJobs } from '../scripts/adds.ts';
import { LARGEST_RUN } from './staged-limits.ts';

/** The most keys that one run writes, and their characters. */
const STAGED_PER_RUN = { count: 500, size: LARGEST_RUN };

/** The most keys that one run discards. */
const DISCARDED_PER_RUN = 500;

/** A key that is staged, and how it is written. */
export interface StagedKey {
  readonly key: string;
  readonly command: 'HSET' | 'SADD';
  readonly args: readonly ScriptArgument[];
}

/** How many characters it takes to write a key. */
function sizeOf({ args }: StagedKey): number {
  return args.reduce<number>((sum, each) => sum + String(each).length, 0);
}

/**
 * What a large add or flow stores before it becomes visible. The store does nothing else while it runs a script, so
 * several runs store it. They list it too, so that what an interruption leaves is found and discarded.
 */
export class StagedJobs {
  readonly #store: StoreCommands;
  readonly #name: string;
  readonly #first: string;

  private constructor(store: StoreCommands, name: string, first: string) {
    this.#store = store;
    this.#name = name;
    this.#first = first;
  }

  /**
   * @param queue in which the jobs get numbers, if they get any.
   * @param count how many jobs.
   * @throws DomainError `store-unavailable`.
   */
  static async begin(
    store: StoreCommands,
    queue: QueueName | undefined,
    count: number,
  ): Promise<StagedJobs> {
    const args = { prefix: store.prefix, random: randomUUID(), queue: queue ?? '', count };
    const [name, first] = await store.call(beginStaging, store.all, args);
    return new StagedJobs(store, name, first);
  }

  /** The name of the add in the store. */
  get name(): string {
    return this.#name;
  }

  /** The number of the first job; empty without numbers. */
  get first(): string {
    return this.#first;
  }

  /** The key of a job whose id a client gave, until the job becomes visible. */
  hiddenKey(position: number): string {
    return `${this.#list}-${position}`;
  }

  /**
   * Stores keys, each of which is made when its run comes.
   *
   * @returns how many there were.
   * @throws DomainError `store-unavailable`.
   */
  async store(keys: Iterable<StagedKey>): Promise<number> {
    const to = { ...this.#store.all, list: this.#list };
    let stored = 0;
    for (const some of piecesAsMade(keys, sizeOf, STAGED_PER_RUN)) {
      stored += some.length;
      const args = some.flatMap(({ key, command, args: values }) => [
        key,
        command,
        values.length,
        ...values,
      ]);
      if (await this.#store.call(stageJobs, to, { name: this.#name }, args)) continue;
      throw this.#store.errors.unavailable(
        new Error('The jobs were staged for too long and are discarded'),
      );
    }
    return stored;
  }

  /** Best effort, and not awaited: if the store is down, a replica discards the rest later. */
  discard(): void {
    this.#discard().catch(() => undefined);
  }

  async #discard(): Promise<void> {
    while (await discardStaged(this.#store, this.#name));
  }

  get #list(): string {
    return ownKey(this.#store.prefix, STAGED_PREFIX + this.#name);
  }
}

/**
 * Discards a part of what an add has staged and did not make visible.
 *
 * @param name of the add; any that began too long ago without one.
 * @returns whether there was anything to discard.
 * @throws DomainError `store-unavailable`.
 */
export function discardStaged(store: StoreCommands, name = ''): Promise<boolean> {
  const args = { prefix: store.prefix, name, most: DISCARDED_PER_RUN };
  return store.call(discardSome, store.all, args);
}
