import { timingSafeEqual } from 'node:crypto';
import { DomainError } from '../../../../domain/errors.ts';

/** What a route requires of its caller: an API token, the token of the job's attempt, or nothing. */
export type Auth = 'api' | 'job' | 'none';

/** Tokens are padded to a multiple of so many bytes, so that their length is not revealed either. */
const LENGTH_STEP = 64;

const CREDENTIALS = /^bearer +([^\s]+) *$/i;

/** Checks bearer tokens (specification, "Authentication"). Without configured tokens it refuses every request. */
export class Authentication {
  /** The padded tokens, all of one length. */
  readonly #tokens: readonly Buffer[];
  /** The buffer that holds the token of a request for the comparison. */
  readonly #presented: Buffer;

  constructor(tokens: readonly string[]) {
    const sizes = tokens.map((token) => Buffer.byteLength(token));
    const length = Math.ceil((Math.max(0, ...sizes) + 1) / LENGTH_STEP) * LENGTH_STEP;
    this.#presented = Buffer.alloc(length);
    this.#tokens = tokens.map((token) => {
      const padded = Buffer.alloc(length);
      padded.write(token);
      return padded;
    });
  }

  /**
   * Returns the bearer token, empty for a route without authentication. A job token is only read here; the use case
   * decides whether it is that of the job's running attempt.
   *
   * @throws DomainError `unauthorized`.
   */
  authenticate(auth: Auth, authorization: string | undefined): string {
    if (auth === 'none') return '';
    const token = CREDENTIALS.exec(authorization ?? '')?.[1];
    if (token === undefined || this.#tokens.length === 0)
      throw unauthorized('A bearer token is required');
    if (auth === 'api' && !this.#isKnown(token)) throw unauthorized('The token is not valid');
    return token;
  }

  /** Compares the whole length with every token, so that the time reveals nothing about any of them. */
  #isKnown(token: string): boolean {
    // Header bytes arrive as latin1 characters: this restores what the client sent. No header has a
    // zero byte and every known token ends with one at least, so none is taken for another, nor is one
    // that is cut off here.
    this.#presented.fill(0).write(token, 'latin1');
    let known = false;
    for (const candidate of this.#tokens) {
      known = timingSafeEqual(candidate, this.#presented) || known;
    }
    return known;
  }
}

function unauthorized(message: string): DomainError {
  return new DomainError('unauthorized', message);
}
