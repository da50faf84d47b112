import {
  errors,
  type FlattenedJWSInput,
  type JWTHeaderParameters,
  type JWTVerifyGetKey,
} from 'jose';
import type { ClockPort } from '../../../application/ports/clock-port.ts';
import type { LoggerPort } from '../../../application/ports/logger-port.ts';
import type { TokenIssuer } from '../../../domain/access/token-issuer.ts';
import { DomainError } from '../../../domain/errors.ts';
import { issuerDocument } from './issuer-document.ts';
import { usableKeys } from './usable-keys.ts';

type Key = Awaited<ReturnType<JWTVerifyGetKey>>;

/** How old (ms) keys may be before they are read again. */
const FRESH = 600_000;

/** The shortest time (ms) between two reads because of an unknown key. */
const READ_AGAIN = 60_000;

/** How long (ms) an issuer is left alone after a failed read; each further failure doubles it, up to the maximum. */
const FIRST_PAUSE = 1000;
const LONGEST_PAUSE = 30_000;

/** How long (ms) an issuer has to answer. */
const TIMEOUT = 5000;

/**
 * The keys of one issuer. A token whose key is known never waits for the issuer: keys that have become old stay in use
 * while they are read again, and while the issuer cannot be reached.
 */
export class IssuerKeys {
  readonly #issuer: TokenIssuer;
  readonly #clock: ClockPort;
  readonly #logger: LoggerPort;
  #keys: JWTVerifyGetKey | undefined;
  #readAt = -Infinity;
  #failures = 0;
  #pausedUntil = -Infinity;
  #reading: Promise<JWTVerifyGetKey> | undefined;

  constructor(issuer: TokenIssuer, clock: ClockPort, logger: LoggerPort) {
    this.#issuer = issuer;
    this.#clock = clock;
    this.#logger = logger;
  }

  /**
   * The key that signed a token.
   *
   * @throws DomainError `issuer-unavailable`, or the error of jose for a key that the issuer does not have.
   */
  async find(header: JWTHeaderParameters, token: FlattenedJWSInput): Promise<Key> {
    const known = this.#keys;
    if (known === undefined) return (await this.#read())(header, token);
    // A failure is logged where it happens, and this token does not depend on it.
    if (this.#age >= FRESH) this.#read().catch(() => undefined);
    try {
      return await known(header, token);
    } catch (error) {
      if (!(error instanceof errors.JWKSNoMatchingKey) || this.#age < READ_AGAIN) throw error;
    }
    return (await this.#read())(header, token);
  }

  get #age(): number {
    return this.#clock.now() - this.#readAt;
  }

  /** Requests that come in the meantime share the same read. @throws DomainError `issuer-unavailable`. */
  async #read(): Promise<JWTVerifyGetKey> {
    if (this.#reading === undefined && this.#clock.now() < this.#pausedUntil) throw unavailable();
    this.#reading ??= this.#readNow().finally(() => (this.#reading = undefined));
    return this.#reading;
  }

  async #readNow(): Promise<JWTVerifyGetKey> {
    try {
      const signal = AbortSignal.timeout(TIMEOUT);
      const place = this.#issuer.jwks ?? (await this.#discovered(signal));
      const keys = await usableKeys(await issuerDocument(place, signal));
      this.#keys = keys;
      this.#readAt = this.#clock.now();
      this.#failures = 0;
      return keys;
    } catch (error) {
      this.#pause(error);
      throw unavailable(error);
    }
  }

  #pause(error: unknown): void {
    const pause = Math.min(FIRST_PAUSE * 2 ** this.#failures, LONGEST_PAUSE);
    this.#failures += 1;
    this.#pausedUntil = this.#clock.now() + pause;
    const { issuer } = this.#issuer;
    const kept = this.#keys === undefined ? 'none' : 'the last ones';
    const fields = { issuer, inUse: kept, nextReadIn: pause, error };
    this.#logger.warn('The keys of an issuer cannot be read', fields);
  }

  /** OpenID Connect Discovery 1.0, section 4. */
  async #discovered(signal: AbortSignal): Promise<string> {
    const { issuer } = this.#issuer;
    const place = `${issuer.replace(/\/$/, '')}/.well-known/openid-configuration`;
    const { issuer: named, jwks_uri: keys } = await issuerDocument(place, signal);
    if (named !== issuer || typeof keys !== 'string') {
      throw new Error(`${place} is not the discovery document of ${issuer}`);
    }
    return keys;
  }
}

function unavailable(cause?: unknown): DomainError {
  const message = 'The issuer of the token cannot be reached, try again later';
  return new DomainError('issuer-unavailable', message, { cause });
}
