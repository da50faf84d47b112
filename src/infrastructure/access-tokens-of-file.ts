import { readFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import type { ConfiguredToken, ConfiguredTokens } from '../application/access/configured-tokens.ts';
import { isUsableFrom } from '../application/access/usable-from.ts';
import type { ClockPort } from '../application/ports/clock-port.ts';
import type { LoggerPort } from '../application/ports/logger-port.ts';
import type { NetworkPort } from '../application/ports/network-port.ts';
import type { RepeatedWork } from '../application/running/rounds.ts';
import type { Caller } from '../domain/access/caller.ts';
import { parseAccessTokens, unreadable } from './config/access-tokens-file.ts';

/** How often (ms) the file is read. A change takes effect within five seconds. */
const READ_INTERVAL = 2000;

/**
 * The tokens of `ACCESS_TOKENS_FILE`, reloaded when the file changes. A file with an error prevents the start; later,
 * the previous tokens stay in force and the error is logged.
 */
export class AccessTokensOfFile implements ConfiguredTokens, RepeatedWork {
  readonly name = 'file of tokens';
  readonly #path: string;
  readonly #networks: NetworkPort;
  readonly #clock: ClockPort;
  readonly #logger: LoggerPort;
  #content: string;
  #byDigest: ReadonlyMap<string, ConfiguredToken>;
  #reported: string | undefined;
  /** The streams that end with a token, and the content of the token when they began. */
  readonly #watchers = new Map<() => void, { readonly id: string; readonly state: string }>();

  /** @throws ConfigError naming the field, or the error of a file that cannot be read. */
  constructor(path: string, networks: NetworkPort, clock: ClockPort, logger: LoggerPort) {
    this.#path = path;
    this.#networks = networks;
    this.#clock = clock;
    this.#logger = logger;
    this.#content = contentOf(path);
    this.#byDigest = parseAccessTokens(this.#content, networks);
  }

  get all(): readonly ConfiguredToken[] {
    return [...this.#byDigest.values()];
  }

  get isEmpty(): boolean {
    return this.#byDigest.size === 0;
  }

  find(digest: string, address: string): Caller | undefined {
    const token = this.#byDigest.get(digest);
    if (token === undefined) return undefined;
    const { caller, addresses } = token;
    const bounds = { expires: caller.expires, addresses };
    return isUsableFrom(address, bounds, this.#clock.now(), this.#networks) ? caller : undefined;
  }

  watch(id: string, ended: () => void): (() => void) | undefined {
    const state = this.#stateOf(id);
    if (state === undefined) return undefined;
    this.#watchers.set(ended, { id, state });
    return () => this.#watchers.delete(ended);
  }

  /** The full content of a token of the file; undefined for one that is not in it, or has expired. */
  #stateOf(id: string): string | undefined {
    for (const [digest, { caller, addresses }] of this.#byDigest) {
      if (caller.id !== id) continue;
      const { rights, queues, expires } = caller;
      const isOver = expires !== null && expires <= this.#clock.now();
      return isOver ? undefined : JSON.stringify([digest, rights, queues, expires, addresses]);
    }
    return undefined;
  }

  #endStreams(): void {
    for (const [ended, { id, state }] of this.#watchers) {
      if (this.#stateOf(id) === state) continue;
      this.#watchers.delete(ended);
      ended();
    }
  }

  /** Logs an error once, however often the file is read with it. */
  #report(error: unknown): void {
    const mistake = String(error);
    if (mistake === this.#reported) return;
    this.#reported = mistake;
    const line = 'The file of tokens could not be read: its tokens stay as they were';
    this.#logger.error(line, { error });
  }

  async round(): Promise<number> {
    try {
      const content = await readFile(this.#path, 'utf8');
      if (content !== this.#content) {
        this.#content = content;
        this.#byDigest = parseAccessTokens(content, this.#networks);
        this.#reported = undefined;
        this.#logger.info('The file of tokens was read', { tokens: this.#byDigest.size });
      }
    } catch (error) {
      this.#report(error);
    }
    this.#endStreams();
    return READ_INTERVAL;
  }
}

function contentOf(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    throw unreadable(error);
  }
}
