import { decodeJwt, errors, jwtVerify, type JWTPayload } from 'jose';
import type { ClockPort } from '../../../application/ports/clock-port.ts';
import type { LoggerPort } from '../../../application/ports/logger-port.ts';
import type {
  IssuerTokenPort,
  VerifiedToken,
} from '../../../application/ports/issuer-token-port.ts';
import type { TokenIssuer } from '../../../domain/access/token-issuer.ts';
import { IssuerKeys } from './issuer-keys.ts';
import { SIGNATURE_ALGORITHMS } from './usable-keys.ts';

/** How much (s) clocks may differ, and how long (s) a token may be valid at most. */
const TOLERANCE = 30;
const LONGEST_LIFE = 86_400;

interface KnownIssuer {
  readonly issuer: TokenIssuer;
  readonly keys: IssuerKeys;
}

/** Verifies JSON Web Tokens (RFC 7519) with jose. */
export class JoseIssuerTokens implements IssuerTokenPort {
  readonly #issuers: ReadonlyMap<string, KnownIssuer>;
  readonly #clock: ClockPort;

  constructor(issuers: readonly TokenIssuer[], clock: ClockPort, logger: LoggerPort) {
    this.#issuers = new Map(
      issuers.map((issuer) => {
        return [issuer.issuer, { issuer, keys: new IssuerKeys(issuer, clock, logger) }];
      }),
    );
    this.#clock = clock;
  }

  async verify(token: string): Promise<VerifiedToken | undefined> {
    const known = this.#issuers.get(issuerOf(token) ?? '');
    if (known === undefined) return undefined;
    const { issuer, keys } = known;
    const now = this.#clock.now();
    try {
      const { payload } = await jwtVerify(token, (header, jws) => keys.find(header, jws), {
        issuer: issuer.issuer,
        audience: issuer.audience,
        algorithms: SIGNATURE_ALGORITHMS,
        requiredClaims: ['exp'],
        clockTolerance: TOLERANCE,
        currentDate: new Date(now),
      });
      const { exp = 0 } = payload;
      if (exp - begin(payload, now) > LONGEST_LIFE + TOLERANCE) return undefined;
      return { issuer, claims: payload, expires: exp * 1000 };
    } catch (error) {
      if (error instanceof errors.JOSEError) return undefined;
      throw error;
    }
  }
}

/** When the validity of a token begins, in seconds. Leaving the time out cannot hide that a token is valid for long. */
function begin({ iat, nbf }: JWTPayload, now: number): number {
  return Math.min(iat ?? Infinity, nbf ?? Infinity, now / 1000);
}

function issuerOf(token: string): string | undefined {
  try {
    return decodeJwt(token).iss;
  } catch {
    return undefined;
  }
}
