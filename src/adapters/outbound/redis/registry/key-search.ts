import type { Redis } from 'ioredis';
import { mastersOf, scanKeys, START } from '../connection/key-scan.ts';
import type { RedisClient } from '../connection/redis-client.ts';

/** The longest time of one search, in milliseconds. */
const SEARCH_TIME = 5000;

/**
 * Searches the keys of a store, on every master of a cluster, for those that match a pattern. Searches run one after
 * the other, and callers during one share the next. If a search runs out of time, the next one continues it.
 */
export class KeySearch {
  readonly #client: RedisClient;
  readonly #pattern: string;
  readonly #found: (keys: readonly string[]) => Promise<void>;
  /** Where the search continues, by the address of the server; empty when it is complete. */
  readonly #cursors = new Map<string, string>();
  #current: Promise<void> | undefined;
  #next: Promise<void> | undefined;

  /** @param found receives the keys of each command, some of them several times. */
  constructor(
    client: RedisClient,
    pattern: string,
    found: (keys: readonly string[]) => Promise<void>,
  ) {
    this.#client = client;
    this.#pattern = pattern;
    this.#found = found;
  }

  /** Resolves after a search that began after the call. */
  run(): Promise<void> {
    if (this.#current === undefined) return this.#begin();
    this.#next ??= this.#current.then(
      () => this.#begin(),
      () => this.#begin(),
    );
    return this.#next;
  }

  #begin(): Promise<void> {
    this.#next = undefined;
    this.#current = this.#search().finally(() => (this.#current = undefined));
    return this.#current;
  }

  async #search(): Promise<void> {
    const end = performance.now() + SEARCH_TIME;
    const servers = new Map(mastersOf(this.#client).map((server) => [addressOf(server), server]));
    if (this.#cursors.size === 0) {
      for (const address of servers.keys()) this.#cursors.set(address, START);
    }
    for (const [address, cursor] of this.#cursors) {
      const server = servers.get(address);
      const left = server && (await this.#searchServer(server, cursor, end));
      if (left === undefined) this.#cursors.delete(address);
      else this.#cursors.set(address, left);
    }
  }

  /** @returns where to continue, undefined at the end of the server's keys. */
  async #searchServer(server: Redis, from: string, end: number): Promise<string | undefined> {
    let cursor = from;
    while (performance.now() < end) {
      const scanned = await scanKeys(server, this.#pattern, cursor);
      if (scanned.keys.length > 0) await this.#found(scanned.keys);
      if (scanned.cursor === START) return undefined;
      ({ cursor } = scanned);
    }
    return cursor;
  }
}

function addressOf({ options: { host = '', port = 0 } }: Redis): string {
  return `${host}:${port}`;
}
