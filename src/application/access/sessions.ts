import { NotAdmittedError } from '../../domain/access/admission.ts';
import type { Access, Caller, CallerSession } from '../../domain/access/caller.ts';
import { MOST_SESSIONS, SESSION_LIFE, type Session } from '../../domain/access/session.ts';
import { personOf, SIGN_IN_LIFE } from '../../domain/access/sign-in.ts';
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
import { sameJson } from '../../domain/values/same-json.ts';
import type { AccessSecretPort, DrawnSession } from '../ports/access-secret-port.ts';
import type { ClockPort } from '../ports/clock-port.ts';
import type { SessionStorePort } from '../ports/session-store-port.ts';
import type { RepeatedWork } from '../running/rounds.ts';
import type { ConfiguredTokens } from './configured-tokens.ts';
import type { IssuedTokens } from './issued-tokens.ts';
import type { Person } from './sign-in.ts';
import { Watchers } from './watchers.ts';
import type { RightsLookups } from './rights-lookups.ts';

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
  readonly lookups: Pick<RightsLookups, 'current' | 'isDue' | 'withNext'>;
  readonly secrets: AccessSecretPort;
  readonly clock: ClockPort;
}

/**
 * Signs browsers in with an API token, and knows those of people. The token is checked on each request, so a session
 * never outlives it (platform contract, section 11).
 */
export class Sessions implements RepeatedWork {
  readonly name = 'sessions';
  readonly failure = { line: 'The sessions of streams could not be read', pause: WATCH_INTERVAL };
  readonly #dependencies: SessionsDependencies;
  /** Those who watch a session, with the rights that they began with. */
  readonly #watchers = new Watchers<Pick<Session, 'sha256'> & Access>();

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
    return this.#open(caller, SESSION_LIFE, address, () => ({ tokenSha256 }));
  }

  /**
   * Opens the session of a person who signed in.
   *
   * @returns the cookie value, which is shown only this once.
   * @throws NotAdmittedError when no rule matches, or DomainError `store-unavailable`.
   */
  async openFor({ identity, admission, signIn }: Person, address: string): Promise<string> {
    const { lookups } = this.#dependencies;
    if (admission.match === null) throw new NotAdmittedError(admission);
    return this.#open(personOf(signIn), SIGN_IN_LIFE, address, (cookie) => ({
      signIn: lookups.withNext(signIn, identity, cookie),
    }));
  }

  async #open(
    { id: holder }: Caller,
    life: number,
    address: string,
    openedBy: (cookie: string) => Pick<Session, 'tokenSha256' | 'signIn'>,
  ): Promise<string> {
    const { store, secrets, clock } = this.#dependencies;
    const { text, sha256 } = secrets.drawSession();
    const now = clock.now();
    const times = { createdAt: now, lastSeenAt: now };
    const session = { id: secrets.drawId(), sha256, ...openedBy(text), holder, ...times, address };
    await store.create(session, life, MOST_SESSIONS);
    return text;
  }

  /**
   * The holder of a session; undefined when it has ended, or its token is no longer valid.
   *
   * @throws DomainError `store-unavailable`.
   */
  async callerOf({ text, sha256 }: DrawnSession, address: string): Promise<Caller | undefined> {
    const { store, lookups, clock } = this.#dependencies;
    const found = await store.find(sha256);
    const session = found && (await lookups.current(found, text));
    if (session === undefined) return undefined;
    const holder = await this.#holderOf(session, address);
    const now = clock.now();
    if (now - session.lastSeenAt >= SEEN_INTERVAL || address !== session.address) {
      await store.change(sha256, (latest) => ({ ...latest, lastSeenAt: now, address }));
    }
    return holder;
  }

  async #holderOf(session: Session, address: string): Promise<Caller | undefined> {
    const { tokenSha256 = '', signIn, id, sha256, createdAt } = session;
    if (signIn !== undefined) return personOf(signIn, { id, sha256, createdAt });
    const { configured, issued } = this.#dependencies;
    const known = configured.find(tokenSha256, address);
    if (known !== undefined) issued.noteUse(known.id, address);
    const holder = known ?? (await issued.callerOf(tokenSha256, address));
    return holder?.inSession({ id, sha256, createdAt });
  }

  /** Whether the session of a person goes on. @throws DomainError `store-unavailable`. */
  async isInForce({ sha256 }: CallerSession): Promise<boolean> {
    return (await this.#dependencies.store.find(sha256)) !== undefined;
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
    const sessions = all
      .toSorted((one, other) => other.createdAt - one.createdAt)
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
    this.#watchers.end(({ sha256 }) => sha256 === session.sha256);
  }

  /**
   * Calls back within seconds once a session has ended, or has other rights than this caller.
   *
   * @returns a function that stops watching.
   */
  watch({ rights, queues }: Caller, { sha256 }: CallerSession, ended: () => void): () => void {
    return this.#watchers.add({ sha256, rights, queues }, ended);
  }

  async round(): Promise<number> {
    const { store, lookups } = this.#dependencies;
    const found = new Map<string, Session | undefined>();
    for (const { sha256 } of this.#watchers.holders) {
      if (!found.has(sha256)) found.set(sha256, await store.find(sha256));
    }
    this.#watchers.end(({ sha256, rights, queues }) => {
      const session = found.get(sha256);
      // A stream that ends begins again, with a cookie: then the rights are looked up.
      if (session === undefined || lookups.isDue(session)) return found.has(sha256);
      const { signIn } = session;
      return signIn !== undefined && !sameJson([rights, queues], [signIn.rights, signIn.queues]);
    });
    return WATCH_INTERVAL;
  }
}
