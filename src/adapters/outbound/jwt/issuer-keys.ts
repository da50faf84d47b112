import {
  createLocalJWKSet,
  errors,
  type FlattenedJWSInput,
  type JSONWebKeySet,
  type JWTHeaderParameters,
  type JWTVerifyGetKey,
} from 'jose';
import type { ClockPort } from '../../../application/ports/clock-port.ts';
import type { TokenIssuer } from '../../../domain/access/token-issuer.ts';
import { DomainError } from '../../../domain/errors.ts';
import { isObject } from '../../../domain/values/json.ts';

type Key = Awaited<ReturnType<JWTVerifyGetKey>>;

/** How old (ms) keys may be before they are read again. */
const FRESH = 600_000;

/** The shortest time (ms) between two reads because of an unknown key. */
const READ_AGAIN = 60_000;

/** How long (ms) an issuer that could not be reached is not asked again. */
const PAUSE = 1000;

/** How long (ms) an issuer has to answer. */
const TIMEOUT = 5000;

/** The keys of one issuer, kept for some minutes. Old ones stay in use while the issuer cannot be reached. */
export class IssuerKeys {
  readonly #issuer: TokenIssuer;
  readonly #clock: ClockPort;
  #keys: JWTVerifyGetKey | undefined;
  #readAt = -Infinity;
  #triedAt = -Infinity;
  #reading: Promise<void> | undefined;

  constructor(issuer: TokenIssuer, clock: ClockPort) {
    this.#issuer = issuer;
    this.#clock = clock;
  }

  /**
   * The key that signed a token.
   *
   * @throws DomainError `issuer-unavailable`, or the error of jose for a key that the issuer does not have.
   */
  async find(header: JWTHeaderParameters, token: FlattenedJWSInput): Promise<Key> {
    if (this.#clock.now() - this.#readAt >= FRESH) await this.#read();
    try {
      return await this.#known(header, token);
    } catch (error) {
      const isUnknown = error instanceof errors.JWKSNoMatchingKey;
      if (!isUnknown || this.#clock.now() - this.#readAt < READ_AGAIN) throw error;
      await this.#read();
      return this.#known(header, token);
    }
  }

  #known(header: JWTHeaderParameters, token: FlattenedJWSInput): Promise<Key> {
    if (this.#keys === undefined) throw unavailable(undefined);
    return Promise.resolve(this.#keys(header, token));
  }

  /** Requests that come in the meantime wait for the same read. */
  #read(): Promise<void> {
    const now = this.#clock.now();
    if (this.#reading === undefined && now - this.#triedAt < PAUSE) return Promise.resolve();
    this.#triedAt = now;
    this.#reading ??= this.#readNow().finally(() => (this.#reading = undefined));
    return this.#reading;
  }

  async #readNow(): Promise<void> {
    try {
      const keys = await documentAt(this.#issuer.jwks ?? (await this.#discovered()));
      this.#keys = createLocalJWKSet(keys as unknown as JSONWebKeySet);
      this.#readAt = this.#clock.now();
    } catch (error) {
      if (this.#keys === undefined) throw unavailable(error);
    }
  }

  /** OpenID Connect Discovery 1.0, section 4. */
  async #discovered(): Promise<string> {
    const { issuer } = this.#issuer;
    const place = `${issuer.replace(/\/$/, '')}/.well-known/openid-configuration`;
    const { issuer: named, jwks_uri: keys } = await documentAt(place);
    if (named !== issuer || typeof keys !== 'string') {
      throw new Error(`${place} is not the discovery document of ${issuer}`);
    }
    return keys;
  }
}

async function documentAt(url: string): Promise<Readonly<Record<string, unknown>>> {
  const response = await fetch(url, {
    headers: { Accept: 'application/json' },
    signal: AbortSignal.timeout(TIMEOUT),
  });
  if (!response.ok) throw new Error(`${url} answered ${response.status}`);
  const document: unknown = await response.json();
  if (!isObject(document)) throw new Error(`${url} has no JSON object`);
  return document;
}

function unavailable(cause: unknown): DomainError {
  const message = 'The issuer of the token cannot be reached, try again later';
  return new DomainError('issuer-unavailable', message, { cause });
}
