import { Caller, type Ancestor } from '../../domain/access/caller.ts';
import type { AccessToken } from '../../domain/access/access-token.ts';
import { isStoreUnavailable } from '../../domain/errors.ts';
import type { KeptAccessTokens } from '../kept/access-tokens.ts';
import type { ClockPort } from '../ports/clock-port.ts';
import type { LoggerPort } from '../ports/logger-port.ts';
import type { NetworkPort } from '../ports/network-port.ts';
import type { TokenUse, TokenUsePort } from '../ports/token-use-port.ts';
import type { ConfiguredTokens } from './configured-tokens.ts';
import { FreshRuns } from '../running/fresh-runs.ts';
import { onceChanged } from '../running/once-changed.ts';
import type { RepeatedWork } from '../running/rounds.ts';
import { Watchers } from './watchers.ts';
import { isUsableFrom, type TokenBounds } from './usable-from.ts';

/**
 * How often (ms) the version of the tokens is read while there are any: a revoked token stops working within a second.
 */
const READ_INTERVAL = 500;

/** How often (ms) the version is read while there are no tokens: an unknown token triggers a read of its own. */
const IDLE_INTERVAL = 15_000;

/** How long (ms) tokens stay valid while the store is away (platform contract, section 11). */
const GRACE = 60_000;

/** How often (ms) the latest uses are written. */
const USE_INTERVAL = 30_000;

/** The token that a stream or a ticket depends on, and the secret that its caller sent. */
export type TokenHolder = Pick<Caller, 'id' | 'secret'>;

/** The resolution (ms) at which a replica records uses. */
const USE_PRECISION = 1000;

/** How the ids begin of tokens of issuers, and of people who signed in. */
const ISSUED_BY_OTHERS = /^(?:jwt|sign-in):/;

/** Where tokens are, and when they were used. */
export interface TokenStores {
  readonly accessTokens: KeptAccessTokens;
  readonly tokenUses: TokenUsePort;
}

/** A token that made another one. */
interface Maker extends TokenBounds, Ancestor {}

const NO_MAKERS: readonly Maker[] = [];

interface IssuedSecret {
  readonly token: AccessToken;
  /** Made at the first use, since most replicas see few of many tokens. */
  caller?: Caller;
  /** Epoch ms; null for as long as the token is valid. */
  readonly until: number | null;
}

/**
 * The API tokens in force on this replica. They are kept in memory, since every request needs one: a known token costs
 * no command to the store.
 */
export class IssuedTokens implements RepeatedWork {
  readonly name = 'access tokens';
  readonly #stores: TokenStores;
  readonly #configured: Pick<ConfiguredTokens, 'all'>;
  readonly #networks: NetworkPort;
  readonly #clock: ClockPort;
  readonly #logger: LoggerPort;
  readonly #reads = new FreshRuns(() => this.#readNow());
  #version: string | undefined;
  #readAt = -Infinity;
  readonly #tokens = new Map<string, AccessToken>();
  readonly #secrets = new Map<string, IssuedSecret>();
  #byAge: readonly AccessToken[] | undefined;
  readonly #watchers = new Watchers<TokenHolder>();
  #uses = new Map<string, TokenUse>();
  #usesWrittenAt = -Infinity;

  constructor(
    stores: TokenStores,
    configured: Pick<ConfiguredTokens, 'all'>,
    networks: NetworkPort,
    clock: ClockPort,
    logger: LoggerPort,
  ) {
    this.#stores = stores;
    this.#configured = configured;
    this.#networks = networks;
    this.#clock = clock;
    this.#logger = logger;
  }

  finish(): Promise<void> {
    return this.#writeUses();
  }

  /**
   * The holder of a token, from memory if it was confirmed within the last minute, otherwise from the store. Undefined
   * when no token has the digest, or the token is no longer valid, or does not work from this address.
   *
   * @param digest SHA-256 of the token, in lowercase hex.
   * @throws DomainError `store-unavailable` for an unknown token.
   */
  callerOf(digest: string, address: string): Caller | undefined | Promise<Caller | undefined> {
    const isRecent = this.#clock.now() - this.#readAt <= GRACE;
    if (isRecent && this.knows(digest)) return this.#known(digest, address);
    return this.#reads.run().then(() => this.#known(digest, address));
  }

  /** Whether this replica has seen a token with this digest, in force or not. */
  knows(digest: string): boolean {
    return this.#secrets.has(digest);
  }

  /** Whether this replica knows no tokens. */
  get isEmpty(): boolean {
    return this.#tokens.size === 0;
  }

  /**
   * Whether a token, and the secret of it that the caller sent, is still in force: a ticket is valid no longer than the
   * token it was issued to, and a rotated secret ends with its overlap.
   */
  isInForce({ id, secret }: TokenHolder): boolean {
    const now = this.#clock.now();
    const token = this.#tokens.get(id);
    if (token === undefined || isOver(token.expires, now)) return false;
    if (this.#ancestorsOf(token)?.every(({ expires }) => !isOver(expires, now)) !== true) {
      return false;
    }
    if (secret === undefined) return true;
    const given = this.#secrets.get(secret);
    return given !== undefined && !isOver(given.until, now);
  }

  /** All tokens, as they are in the store now. @throws DomainError `store-unavailable`. */
  async all(): Promise<ReadonlyMap<string, AccessToken>> {
    await this.#reads.run();
    return this.#tokens;
  }

  /** All tokens, the oldest first, as they are in the store now. @throws DomainError `store-unavailable`. */
  async byAge(): Promise<readonly AccessToken[]> {
    await this.#reads.run();
    this.#byAge ??= [...this.#tokens.values()].sort(
      (one, other) => one.createdAt - other.createdAt || (one.id < other.id ? -1 : 1),
    );
    return this.#byAge;
  }

  /** Whether a token made another one, or one that did. */
  descends({ parent }: AccessToken, maker: string): boolean {
    for (let id = parent; id != null; id = this.#tokens.get(id)?.parent) {
      if (id === maker) return true;
    }
    return false;
  }

  /** The ids of the tokens that a token made, and of those that they made, as far as this replica knows. */
  descendantsOf(maker: string): readonly string[] {
    return [...this.#tokens.values()]
      .filter((token) => this.descends(token, maker))
      .map(({ id }) => id);
  }

  /** Applies a change on this replica. @throws DomainError `store-unavailable` that `mayBeStored`. */
  changed(): Promise<void> {
    return onceChanged(this.#reads.run());
  }

  /**
   * Calls back once a token, or the secret that was used, is no longer in force. @returns a function that stops
   * watching.
   */
  watch(holder: TokenHolder, ended: () => void): () => void {
    return this.#watchers.add(holder, ended);
  }

  /** Records the use of a configured token, which this class does not manage. */
  noteUse(id: string, address: string, at = this.#clock.now()): void {
    const latest = this.#uses.get(id);
    if (latest?.address === address && at - latest.at < USE_PRECISION) return;
    this.#uses.set(id, { id, at, address });
  }

  /** The latest use of each token, on any replica. @throws DomainError `store-unavailable`. */
  async usesOf(ids: readonly string[]): Promise<ReadonlyMap<string, TokenUse>> {
    const latest = new Map(await this.#stores.tokenUses.of(ids));
    for (const id of ids) {
      const recent = this.#uses.get(id);
      if (recent !== undefined && recent.at > (latest.get(id)?.at ?? 0)) latest.set(id, recent);
    }
    return latest;
  }

  #known(digest: string, address: string): Caller | undefined {
    const secret = this.#secrets.get(digest);
    if (secret === undefined) return undefined;
    const { token, until } = secret;
    const now = this.#clock.now();
    const ancestors = this.#ancestorsOf(token);
    if (ancestors === undefined || isOver(until, now)) return undefined;
    const isUsable = (each: TokenBounds): boolean =>
      isUsableFrom(address, each, now, this.#networks);
    if (!isUsable(token) || !ancestors.every(isUsable)) return undefined;
    this.noteUse(token.id, address, now);
    if (secret.caller === undefined || !haveLimitsOf(secret.caller, ancestors)) {
      secret.caller = callerOf(token, digest, ancestors);
    }
    return secret.caller;
  }

  /** The tokens that made a token, the latest first; undefined when one of them is gone. */
  #ancestorsOf({ parent }: AccessToken): readonly Maker[] | undefined {
    if (parent == null) return NO_MAKERS;
    const makers: Maker[] = [];
    for (let id: string | null | undefined = parent; id != null;) {
      const token = this.#tokens.get(id);
      const maker = token === undefined ? this.#otherMaker(id) : makerOf(token);
      if (maker === undefined) return undefined;
      makers.push(maker);
      id = token?.parent;
    }
    return makers;
  }

  /** A token of the configuration or of an issuer, or a person. The tokens that the latter two made end by their own times. */
  #otherMaker(id: string): Maker | undefined {
    if (ISSUED_BY_OTHERS.test(id)) return { id, expires: null, addresses: null, limits: null };
    const configured = this.#configured.all.find(({ caller }) => caller.id === id);
    return configured && makerOf(configured.caller);
  }

  async round(): Promise<number> {
    try {
      if (this.#isReadDue()) await this.#reads.run();
    } catch (error) {
      if (isStoreUnavailable(error)) this.#logger.debug('The tokens could not be read', { error });
      else this.#logger.error('The tokens could not be read', { error });
    }
    this.#endWatched();
    if (this.#clock.now() - this.#usesWrittenAt >= USE_INTERVAL) await this.#writeUses();
    return READ_INTERVAL;
  }

  /** A first token that is created while an empty store is read is known before the store has a version. */
  #isReadDue(): boolean {
    const isIdle = this.#version === '' && this.isEmpty;
    return !isIdle || this.#clock.now() - this.#readAt >= IDLE_INTERVAL;
  }

  async #readNow(): Promise<void> {
    const changes = await this.#stores.accessTokens.changedSince(this.#version);
    this.#readAt = this.#clock.now();
    if (changes === undefined) return;
    this.#version = changes.version;
    this.#byAge = undefined;
    for (const id of changes.removed ?? [...this.#tokens.keys()]) this.#forget(id);
    for (const token of changes.records.values()) this.#set(token);
    this.#endWatched();
  }

  #set(token: AccessToken): void {
    this.#forget(token.id);
    this.#tokens.set(token.id, token);
    for (const { sha256, until } of token.secrets) this.#secrets.set(sha256, { token, until });
  }

  #forget(id: string): void {
    for (const { sha256 } of this.#tokens.get(id)?.secrets ?? []) this.#secrets.delete(sha256);
    this.#tokens.delete(id);
  }

  #endWatched(): void {
    if (this.#version !== undefined) this.#watchers.end((holder) => !this.isInForce(holder));
  }

  /** Uses that cannot be written now are written the next time. */
  async #writeUses(): Promise<void> {
    const uses = this.#uses;
    this.#usesWrittenAt = this.#clock.now();
    if (uses.size === 0) return;
    this.#uses = new Map();
    try {
      await this.#stores.tokenUses.record([...uses.values()]);
    } catch (error) {
      this.#uses = new Map([...uses, ...this.#uses]);
      this.#logger.debug('The uses of tokens could not be written', { error });
    }
  }
}

function isOver(end: number | null, now: number): boolean {
  return end !== null && end <= now;
}

/** @param secret the digest of the secret that was sent. */
function callerOf(token: AccessToken, secret: string, makers: readonly Maker[]): Caller {
  const { id, name, expires, rights, queues, limits = null, addresses } = token;
  const ancestors = makers.map((maker) => ({ id: maker.id, limits: maker.limits }));
  const facts = { id, name, keySpace: id, expires, rights, queues, limits, addresses };
  return new Caller({ ...facts, ancestors, secret });
}

function makerOf({ id, expires, addresses, limits = null }: AccessToken | Caller): Maker {
  return { id, expires, addresses, limits };
}

/** Whether a caller was made with the present limits of the tokens that made its own. */
function haveLimitsOf({ ancestors }: Caller, makers: readonly Maker[]): boolean {
  return ancestors.every(({ limits }, generation) => limits === makers[generation]?.limits);
}
