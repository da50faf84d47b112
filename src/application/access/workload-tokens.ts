import { Caller } from '../../domain/access/caller.ts';
import { accessBy } from '../../domain/access/admission.ts';
import { LatestEntries } from '../../domain/values/latest-entries.ts';
import type { ClockPort } from '../ports/clock-port.ts';
import type { IssuerTokenPort } from '../ports/issuer-token-port.ts';

/** How long (ms) the result of a verification is cached, and for how many tokens. */
const REMEMBERED_FOR = 60_000;
const MOST_REMEMBERED = 1000;

interface Remembered {
  readonly caller: Caller;
  /** Epoch ms. */
  readonly until: number;
}

/** Tokens that an issuer gives to workloads, and that this service verifies (platform contract, section 11). */
export class WorkloadTokens {
  readonly #tokens: IssuerTokenPort;
  readonly #clock: ClockPort;
  readonly #remembered = new LatestEntries<string, Remembered>(MOST_REMEMBERED);

  constructor(tokens: IssuerTokenPort, clock: ClockPort) {
    this.#tokens = tokens;
    this.#clock = clock;
  }

  /**
   * The holder of a token, by the first matching rule of its issuer; undefined when the token is invalid or no rule
   * matches.
   *
   * @param digest SHA-256 of the token.
   * @throws DomainError `issuer-unavailable`.
   */
  callerOf(token: string, digest: string): Caller | Promise<Caller | undefined> {
    const remembered = this.#remembered.get(digest);
    if (remembered !== undefined && remembered.until > this.#clock.now()) return remembered.caller;
    return this.#verify(token, digest);
  }

  isInForce({ expires }: Caller): boolean {
    return expires !== null && expires > this.#clock.now();
  }

  /** Calls back once the token has expired. @returns a function that stops watching. */
  watch({ expires }: Caller, ended: () => void): () => void {
    const stopped = new AbortController();
    const { signal } = stopped;
    const pause = Math.max(0, (expires ?? 0) - this.#clock.now());
    void this.#clock.sleep(pause, signal).then(() => {
      if (!signal.aborted) ended();
    });
    return () => {
      stopped.abort();
    };
  }

  async #verify(token: string, digest: string): Promise<Caller | undefined> {
    const verified = await this.#tokens.verify(token);
    if (verified === undefined) return undefined;
    const { issuer, claims, expires } = verified;
    const access = accessBy(issuer.rules, claims);
    if (access === undefined) return undefined;
    const id = `jwt:${issuer.issuer}:${access.name}`;
    const caller = new Caller({ id, ...access, keySpace: id, expires, via: 'jwt' });
    const until = Math.min(expires, this.#clock.now() + REMEMBERED_FOR);
    this.#remembered.set(digest, { caller, until });
    return caller;
  }
}
