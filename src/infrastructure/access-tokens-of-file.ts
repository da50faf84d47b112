import type { ConfiguredToken, ConfiguredTokens } from '../application/access/configured-tokens.ts';
import { Watchers } from '../application/access/watchers.ts';
import { isUsableFrom } from '../application/access/usable-from.ts';
import type { ClockPort } from '../application/ports/clock-port.ts';
import type { LoggerPort } from '../application/ports/logger-port.ts';
import type { NetworkPort } from '../application/ports/network-port.ts';
import type { Caller } from '../domain/access/caller.ts';
import { ACCESS_TOKENS_FILE, parseAccessTokens } from './config/access-tokens-file.ts';
import { WatchedFile } from './watched-file.ts';

/**
 * The tokens of `ACCESS_TOKENS_FILE`, reloaded when the file changes.
 */
export class AccessTokensOfFile
  extends WatchedFile<ReadonlyMap<string, ConfiguredToken>>
  implements ConfiguredTokens
{
  readonly #networks: NetworkPort;
  readonly #clock: ClockPort;
  /** The streams that end with a token, and the content of the token when they began. */
  readonly #watchers = new Watchers<{ readonly id: string; readonly state: string }>();

  /** @throws ConfigError naming the field, also for a file that cannot be read. */
  constructor(path: string, networks: NetworkPort, clock: ClockPort, logger: LoggerPort) {
    super({
      ...{ path, variable: ACCESS_TOKENS_FILE, name: 'file of tokens', holds: 'tokens', logger },
      parse: (content) => parseAccessTokens(content, networks),
      report: ({ size }) => ({ tokens: size }),
    });
    this.#networks = networks;
    this.#clock = clock;
  }

  get all(): readonly ConfiguredToken[] {
    return [...this.value.values()];
  }

  get isEmpty(): boolean {
    return this.value.size === 0;
  }

  find(digest: string, address: string): Caller | undefined {
    const caller = this.value.get(digest)?.caller;
    if (caller === undefined) return undefined;
    return isUsableFrom(address, caller, this.#clock.now(), this.#networks) ? caller : undefined;
  }

  watch(id: string, ended: () => void): (() => void) | undefined {
    const state = this.#stateOf(id);
    return state === undefined ? undefined : this.#watchers.add({ id, state }, ended);
  }

  /** The full content of a token of the file; undefined for one that is not in it, or has expired. */
  #stateOf(id: string): string | undefined {
    for (const [digest, { caller }] of this.value) {
      if (caller.id !== id) continue;
      const { rights, queues, expires, addresses } = caller;
      const isOver = expires !== null && expires <= this.#clock.now();
      return isOver ? undefined : JSON.stringify([digest, rights, queues, expires, addresses]);
    }
    return undefined;
  }

  override async round(): Promise<number> {
    const pause = await super.round();
    this.#watchers.end(({ id, state }) => this.#stateOf(id) !== state);
    return pause;
  }
}
