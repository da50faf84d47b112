import { keptOrMade } from '../../domain/values/kept-or-made.ts';
import type { Caller } from '../../domain/access/caller.ts';
import { MOST_SESSIONS, SESSION_LIFE, type Session } from '../../domain/access/session.ts';
import { DomainError, notFound } from '../../domain/errors.ts';
import { checkPage, longItemsLength, type Page } from '../../domain/values/page.ts';
import {
  object,
  required,
  string,
  integer,
  boolean,
  type Shaped,
} from '../../domain/values/shape.ts';
import type { AccessSecretPort } from '../ports/access-secret-port.ts';
import type { ClockPort } from '../ports/clock-port.ts';
import type { SessionStorePort } from '../ports/session-store-port.ts';
import type { RepeatedWork } from '../running/rounds.ts';
import type { ConfiguredTokens } from './configured-tokens.ts';
import type { IssuedTokens } from './issued-tokens.ts';

/** How outdated (ms) the record of the last use may be. */
const SEEN_INTERVAL = 60_000;

/** How often (ms) the sessions of open streams are checked. */
const WATCH_INTERVAL = 1000;

/** A session as its holder sees it. */
export const listedSessionShape = object('Session', {
  id: required(string, 'The id that names it in paths and in the audit'),
  createdAt: required(integer(0), 'When it was opened (epoch ms)'),
  lastSeenAt: required(integer(0), 'When it was used last (epoch ms), at most a minute old'),
  address: required(string, 'From where it was used last'),
  current: required(boolean, 'Whether it is that of the request'),
});

export type ListedSession = Shaped<typeof listedSessionShape>;

export interface SessionsDependencies {
  readonly store: SessionStorePort;
  readonly configured: ConfiguredTokens;
  readonly issued: Pick<IssuedTokens, 'callerOf' | 'noteUse'>;
  readonly secrets: AccessSecretPort;
  readonly clock: ClockPort;
}

/**
 * Signs browsers in with an API token. The token is checked on each request, so a session never outlives it (platform
 * contract, section 11).
 */
export class Sessions implements RepeatedWork {
  readonly name = 'sessions';
  readonly failure = { line: 'The sessions of streams could not be read', pause: WATCH_INTERVAL };
  readonly #dependencies: SessionsDependencies;
  readonly #watchers = new Map<string, Set<() => void>>();

  constructor(dependencies: SessionsDependencies) {
    this.#dependencies = dependencies;
  }

  /**
   * Opens a session. The oldest of the token ends when it has too many.
   *
   * @param tokenSha256 SHA-256 of the caller's token, in lowercase hex.
   * @returns the cookie value, which is shown only this once.
   * @throws DomainError `forbidden` for a caller without such a token, or `store-unavailable`.
   */
  async open(caller: Caller, tokenSha256: string, address: string): Promise<string> {
    if (caller.via !== 'token') {
      throw new DomainError('forbidden', 'A session can be opened with an API token only');
    }
    const { store, secrets, clock } = this.#dependencies;
    const { text, sha256 } = secrets.drawSession();
    const now = clock.now();
    const id = secrets.drawId();
    const times = { createdAt: now, lastSeenAt: now };
    const session = { id, sha256, tokenSha256, holder: caller.id, ...times, address };
    await store.create(session, SESSION_LIFE, MOST_SESSIONS);
    return text;
  }

  /**
   * The holder of the session with this digest; undefined when it has ended, or its token is no longer valid.
   *
   * @throws DomainError `store-unavailable`.
   */
  async callerOf(sha256: string, address: string): Promise<Caller | undefined> {
    const { store, configured, issued, clock } = this.#dependencies;
    const session = await store.find(sha256);
    if (session === undefined) return undefined;
    const { tokenSha256, id, createdAt, lastSeenAt } = session;
    const known = configured.find(tokenSha256, address);
    if (known !== undefined) issued.noteUse(known.id, address);
    const holder = known ?? (await issued.callerOf(tokenSha256, address));
    const now = clock.now();
    if (now - lastSeenAt >= SEEN_INTERVAL || address !== session.address) {
      await store.replace({ ...session, lastSeenAt: now, address });
    }
    return holder?.inSession({ id, sha256, createdAt });
  }

  /**
   * The sessions of the caller's token, the latest first.
   *
   * @throws DomainError `invalid-request` naming the number, or `store-unavailable`.
   */
  async list(
    caller: Caller,
    { start, length }: Page,
  ): Promise<{ readonly total: number; readonly sessions: readonly ListedSession[] }> {
    checkPage({ start, length }, longItemsLength);
    const all = await this.#dependencies.store.ofHolder(caller.id);
    const sessions = [...all]
      .sort((one, other) => other.createdAt - one.createdAt)
      .slice(start, start + length)
      .map(({ id, createdAt, lastSeenAt, address }) => {
        return { id, createdAt, lastSeenAt, address, current: id === caller.session?.id };
      });
    return { total: all.length, sessions };
  }

  /**
   * Ends a session of the caller's token.
   *
   * @param id by default, the session of the request itself.
   * @throws DomainError `session-not-found` or `store-unavailable`.
   */
  async end(caller: Caller, id = caller.session?.id): Promise<void> {
    const { store } = this.#dependencies;
    const session = (await store.ofHolder(caller.id)).find((each) => each.id === id);
    if (session === undefined || !(await store.remove(session))) {
      throw notFound('session');
    }
    this.#ended(session.sha256);
  }

  /** Calls back within seconds once a session has ended. @returns a function that stops watching. */
  watch(sha256: string, ended: () => void): () => void {
    const watchers = keptOrMade(this.#watchers, sha256, () => new Set()).add(ended);
    return () => {
      watchers.delete(ended);
      if (watchers.size === 0) this.#watchers.delete(sha256);
    };
  }

  async round(): Promise<number> {
    for (const sha256 of [...this.#watchers.keys()]) {
      const session: Session | undefined = await this.#dependencies.store.find(sha256);
      if (session === undefined) this.#ended(sha256);
    }
    return WATCH_INTERVAL;
  }

  #ended(sha256: string): void {
    const watchers = this.#watchers.get(sha256) ?? [];
    this.#watchers.delete(sha256);
    for (const ended of watchers) ended();
  }
}
