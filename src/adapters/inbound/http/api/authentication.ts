import type { ConfiguredTokens } from '../../../../application/access/configured-tokens.ts';
import type { IssuedTokens } from '../../../../application/access/issued-tokens.ts';
import type { Sessions } from '../../../../application/access/sessions.ts';
import type { WorkloadTokens } from '../../../../application/access/workload-tokens.ts';
import type { Caller } from '../../../../domain/access/caller.ts';
import type { RequiredAccess } from '../../../../domain/access/required-access.ts';
import { DomainError } from '../../../../domain/errors.ts';
import { digestOf, TokenHolders } from '../../exchange/token-holders.ts';

/** The kinds of callers: the holder of an API token, the holder of a job, or anyone. */
export type Auth = 'api' | 'job' | 'none';

export function authOf(access: RequiredAccess): Auth {
  if (access === 'nothing') return 'none';
  return access === 'job-token' ? 'job' : 'api';
}

/** The part of the API tokens that requests need. */
export type TokensInForce = Pick<
  IssuedTokens,
  'isEmpty' | 'knows' | 'callerOf' | 'isInForce' | 'noteUse' | 'watch'
>;

/** The part of WorkloadTokens that requests need. */
export type WorkloadsInForce = Pick<WorkloadTokens, 'callerOf' | 'isInForce' | 'watch'>;

/** The part of Sessions that requests need. */
export type SessionsInForce = Pick<Sessions, 'callerOf' | 'isInForce' | 'watch'>;

export interface AuthenticationDependencies {
  readonly configured: ConfiguredTokens;
  readonly issued: TokensInForce;
  readonly sessions: SessionsInForce;
  /** Undefined when no issuers are configured. */
  readonly workloads: WorkloadsInForce | undefined;
}

const CREDENTIALS = /^bearer +([^\s]+) *$/i;

/** Checks bearer tokens (specification, "Authentication"; platform contract, section 11). */
export class Authentication {
  readonly #sources: AuthenticationDependencies;
  readonly #holders: TokenHolders;

  constructor(sources: AuthenticationDependencies) {
    this.#sources = sources;
    this.#holders = new TokenHolders(sources);
  }

  /**
   * The holder of the API token, synchronously when this replica knows it.
   *
   * @param address the address that the request comes from.
   * @param connection the connection of the request, whose token is digested once.
   * @throws DomainError `unauthorized`, or `store-unavailable` for a token of the API that this replica does not know.
   */
  callerOf(
    authorization: string | undefined,
    address: string,
    connection: object,
  ): Caller | Promise<Caller> {
    const found = this.#holders.of(givenToken(authorization), address, connection);
    return found instanceof Promise ? found.then(accepted) : accepted(found);
  }

  /** The holder of a browser session, found by the value of its cookie. @throws DomainError `unauthorized`. */
  async callerInSession(cookie: string, address: string): Promise<Caller> {
    const known = { text: cookie, sha256: digestOf(cookie) };
    const caller = await this.#sources.sessions.callerOf(known, address);
    if (caller === undefined) throw unauthorized('The session is not valid');
    return caller;
  }

  /** @throws DomainError `unauthorized` for the holder of a token that was revoked or has expired, or a person who left. */
  async checkInForce(caller: Caller): Promise<void> {
    if (!(await this.#isInForce(caller))) throw invalidToken();
  }

  /** Calls `ended` once the token or the session of a caller has ended. @returns a function that stops watching. */
  watch(caller: Caller, ended: () => void): () => void {
    const { session } = caller;
    const endings = [this.#watchToken(caller, ended)];
    if (session !== undefined) endings.push(this.#sources.sessions.watch(caller, session, ended));
    return () => {
      for (const end of endings) end?.();
    };
  }

  #watchToken(caller: Caller, ended: () => void): (() => void) | undefined {
    if (caller.via === 'jwt') return this.#sources.workloads?.watch(caller, ended);
    if (caller.via === 'sign-in') return undefined;
    return this.#isConfigured(caller.id)
      ? this.#sources.configured.watch?.(caller.id, ended)
      : this.#sources.issued.watch(caller, ended);
  }

  #isInForce(caller: Caller): boolean | Promise<boolean> {
    const { via, session } = caller;
    if (via === 'jwt') return this.#sources.workloads?.isInForce(caller) === true;
    if (via === 'sign-in' && session) return this.#sources.sessions.isInForce(session);
    return this.#isConfigured(caller.id) || this.#sources.issued.isInForce(caller);
  }

  #isConfigured(id: string): boolean {
    return this.#sources.configured.all.some(({ caller }) => caller.id === id);
  }

  /**
   * The bearer token as sent: a use case decides whether it belongs to the job's running attempt. Where no API token
   * exists, every request is refused.
   *
   * @throws DomainError `unauthorized`.
   */
  bearerToken(authorization: string | undefined): string {
    if (this.#sources.configured.isEmpty && this.#sources.issued.isEmpty) throw tokenRequired();
    return givenToken(authorization);
  }
}

function accepted(caller: Caller | undefined): Caller {
  if (caller === undefined) throw invalidToken();
  return caller;
}

/** The bearer token of an `Authorization` header, if it has one. */
export function tokenIn(authorization: string | undefined): string | undefined {
  return CREDENTIALS.exec(authorization ?? '')?.[1];
}

function givenToken(authorization: string | undefined): string {
  const token = tokenIn(authorization);
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
