import { hash } from 'node:crypto';
import type { ConfiguredTokens } from '../../../../application/access/configured-tokens.ts';
import type { IssuedTokens } from '../../../../application/access/issued-tokens.ts';
import type { Caller } from '../../../../domain/access/caller.ts';
import type { Right } from '../../../../domain/access/right.ts';
import { DomainError } from '../../../../domain/errors.ts';
import { isAccessToken } from './access-token-text.ts';

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

/** The part of the tokens of the API that requests need. */
export type TokensInForce = Pick<IssuedTokens, 'isEmpty' | 'callerOf' | 'isInForce' | 'watch'>;

const CREDENTIALS = /^bearer +([^\s]+) *$/i;

/**
 * Checks bearer tokens (specification, "Authentication"; platform contract, section 11). Tokens are looked up by
 * their digests, which no client can choose: the time of a refusal reveals nothing about any of them.
 */
export class Authentication {
  readonly #configured: ConfiguredTokens;
  readonly #issued: TokensInForce;

  constructor(configured: ConfiguredTokens, issued: TokensInForce) {
    this.#configured = configured;
    this.#issued = issued;
  }

  /**
   * The holder of the API token, at once where this replica knows it.
   *
   * @param address where the request comes from.
   * @throws DomainError `unauthorized`, or `store-unavailable` for a token of the API that is not known here.
   */
  callerOf(authorization: string | undefined, address: string): Caller | Promise<Caller> {
    const token = givenToken(authorization);
    // Header bytes arrive as latin1 characters: this restores what the client sent.
    const digest = hash('sha256', Buffer.from(token, 'latin1'), 'hex');
    const caller = this.#configured.find(digest, address);
    if (caller !== undefined) return caller;
    if (!isAccessToken(token)) throw invalidToken();
    const issued = this.#issued.callerOf(digest, address);
    return issued instanceof Promise ? issued.then(accepted) : accepted(issued);
  }

  /** @throws DomainError `unauthorized` for the holder of a token that was revoked or has expired. */
  checkInForce({ id }: Caller): void {
    if (!this.#isConfigured(id) && !this.#issued.isInForce(id)) throw invalidToken();
  }

  /** Calls back once the token of a caller is revoked or expires. @returns a function that ends this. */
  watch({ id }: Caller, ended: () => void): () => void {
    return this.#isConfigured(id) ? () => undefined : this.#issued.watch(id, ended);
  }

  #isConfigured(id: string): boolean {
    return this.#configured.all.some(({ caller }) => caller.id === id);
  }

  /**
   * The bearer token as it is: a use case decides whether it is that of the job's running attempt. Without any API token
   * every request is refused.
   *
   * @throws DomainError `unauthorized`.
   */
  bearerToken(authorization: string | undefined): string {
    if (this.#configured.isEmpty && this.#issued.isEmpty) throw tokenRequired();
    return givenToken(authorization);
  }
}

function accepted(caller: Caller | undefined): Caller {
  if (caller === undefined) throw invalidToken();
  return caller;
}

function givenToken(authorization: string | undefined): string {
  const token = CREDENTIALS.exec(authorization ?? '')?.[1];
  if (token === undefined) throw tokenRequired();
  return token;
}

function tokenRequired(): DomainError {
  return unauthorized('A bearer token is required');
}

function invalidToken(): DomainError {
  return unauthorized('The token is not valid');
}

function unauthorized(message: string): DomainError {
  return new DomainError('unauthorized', message);
}
