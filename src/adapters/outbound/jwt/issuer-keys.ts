import {
  errors,
  type FlattenedJWSInput,
  type JWTHeaderParameters,
  type JWTVerifyGetKey,
} from 'jose';
import type { ClockPort } from '../../../application/ports/clock-port.ts';
import type { LoggerPort } from '../../../application/ports/logger-port.ts';
import type { TokenIssuer } from '../../../domain/access/token-issuer.ts';
import { discoveryDocument, issuerDocument } from './issuer-document.ts';
import { IssuerReading } from './issuer-reading.ts';
import { usableKeys } from './usable-keys.ts';

type Key = Awaited<ReturnType<JWTVerifyGetKey>>;

/** The shortest time (ms) between two reads because of an unknown key. */
const READ_AGAIN = 60_000;

/** The keys of one issuer. A token whose key is known never waits for the issuer. */
export class IssuerKeys {
  readonly #keys: IssuerReading<JWTVerifyGetKey>;

  constructor(
    { issuer, jwks }: Pick<TokenIssuer, 'issuer' | 'jwks'>,
    clock: ClockPort,
    logger: LoggerPort,
  ) {
    const read = async (signal: AbortSignal): Promise<JWTVerifyGetKey> => {
      const place = jwks ?? (await placeOfKeys(issuer, signal));
      return usableKeys(await issuerDocument(place, signal));
    };
    this.#keys = new IssuerReading({ issuer, what: 'keys', read, clock, logger });
  }

  /**
   * The key that signed a token.
   *
   * @throws DomainError `issuer-unavailable`, or the error of jose for a key that the issuer does not have.
   */
  async find(header: JWTHeaderParameters, token: FlattenedJWSInput): Promise<Key> {
    const known = await this.#keys.current();
    try {
      return await known(header, token);
    } catch (error) {
      if (!(error instanceof errors.JWKSNoMatchingKey) || this.#keys.age < READ_AGAIN) throw error;
    }
    return (await this.#keys.again())(header, token);
  }
}

async function placeOfKeys(issuer: string, signal: AbortSignal): Promise<string> {
  const { jwks_uri: place } = await discoveryDocument(issuer, signal);
  if (typeof place === 'string') return place;
  throw new Error(`The discovery document of ${issuer} names no keys`);
}
