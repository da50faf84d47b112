import { hash, timingSafeEqual } from 'node:crypto';
import { DomainError } from '../../../domain/errors.ts';

/** What a route asks of its caller: an API token, the token of the job's attempt, or nothing. */
export type Auth = 'api' | 'job' | 'none';

const CREDENTIALS = /^bearer +([^\s]+) *$/i;

/** Checks bearer tokens (specification, "Authentication"). Without tokens nobody is let in. */
export class Authentication {
  readonly #digests: readonly Buffer[];

  constructor(tokens: readonly string[]) {
    this.#digests = tokens.map((token) => sha256(Buffer.from(token)));
  }

  /**
   * Returns the bearer token, empty when none is asked for. A job token is only found here; the use
   * case decides whether it is that of the job's running attempt.
   *
   * @throws DomainError `unauthorized`.
   */
  authenticate(auth: Auth, authorization: string | undefined): string {
    if (auth === 'none') return '';
    const token = CREDENTIALS.exec(authorization ?? '')?.[1];
    if (token === undefined || this.#digests.length === 0)
      throw unauthorized('A bearer token is required');
    if (auth === 'api' && !this.#isKnown(token)) throw unauthorized('The token is not valid');
    return token;
  }

  /** Compares digests of equal length with every token, so that time tells nothing about any. */
  #isKnown(token: string): boolean {
    // Header bytes arrive as latin1 characters: this restores what the client sent.
    const digest = sha256(Buffer.from(token, 'latin1'));
    let known = false;
    for (const candidate of this.#digests) known = timingSafeEqual(candidate, digest) || known;
    return known;
  }
}

function sha256(bytes: Buffer): Buffer {
  return hash('sha256', bytes, 'buffer');
}

function unauthorized(message: string): DomainError {
  return new DomainError('unauthorized', message);
}
