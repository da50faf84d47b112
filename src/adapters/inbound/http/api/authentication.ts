import { hash } from 'node:crypto';
import type { Caller } from '../../../../domain/access/caller.ts';
import type { Right } from '../../../../domain/access/right.ts';
import { DomainError } from '../../../../domain/errors.ts';

/**
 * What a route requires of its caller: an API token with a right, any API token, the token of the job's attempt, or
 * nothing.
 */
export type RequiredAccess = Right | 'any-token' | 'job-token' | 'nothing';

/** The kinds of callers: the holder of an API token, the holder of a job, or anyone. */
export type Auth = 'api' | 'job' | 'none';

export function authOf(access: RequiredAccess): Auth {
  if (access === 'nothing') return 'none';
  return access === 'job-token' ? 'job' : 'api';
}

/** The right that a route requires, if it requires one. */
export function rightOf(access: RequiredAccess): Right | undefined {
  return access === 'nothing' || access === 'job-token' || access === 'any-token'
    ? undefined
    : access;
}

/** The callers by the SHA-256 (hex) of their tokens. */
export interface KnownTokens {
  /** Whether there is any token at all. */
  readonly isEmpty: boolean;
  /** The caller whose token has the digest; undefined when there is none, or it has expired. */
  find(digest: string): Caller | undefined;
}

const CREDENTIALS = /^bearer +([^\s]+) *$/i;

/**
 * Checks bearer tokens (specification, "Authentication"; platform contract, section 11). Without known tokens it refuses
 * every request. Tokens are looked up by their digests, which no client can choose: the time of a refusal reveals
 * nothing about any of them.
 */
export class Authentication {
  readonly #tokens: KnownTokens;

  constructor(tokens: KnownTokens) {
    this.#tokens = tokens;
  }

  /** The holder of the API token. @throws DomainError `unauthorized`. */
  callerOf(authorization: string | undefined): Caller {
    const token = this.bearerToken(authorization);
    // Header bytes arrive as latin1 characters: this restores what the client sent.
    const caller = this.#tokens.find(hash('sha256', Buffer.from(token, 'latin1'), 'hex'));
    if (caller === undefined) throw unauthorized('The token is not valid');
    return caller;
  }

  /**
   * The bearer token as it is: a use case decides whether it is that of the job's running attempt.
   *
   * @throws DomainError `unauthorized`.
   */
  bearerToken(authorization: string | undefined): string {
    const token = CREDENTIALS.exec(authorization ?? '')?.[1];
    if (token === undefined || this.#tokens.isEmpty) {
      throw unauthorized('A bearer token is required');
    }
    return token;
  }
}

function unauthorized(message: string): DomainError {
  return new DomainError('unauthorized', message);
}
