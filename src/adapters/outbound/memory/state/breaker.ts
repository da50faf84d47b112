import type { AttemptKey } from '../../../../domain/attempts/attempt.ts';
import type { ClaimRequest } from '../../../../domain/attempts/claim.ts';
import {
  PROBE_CHECK,
  type BreakerMove,
  type OpenBreaker,
  type Verdict,
} from '../../../../domain/attempts/breaker.ts';

interface Open {
  readonly since: number;
  readonly until: number;
  readonly openFor: number;
  readonly reason: string;
}

/** Decides by the outcomes of the last calls whether those for jobs of a queue may start. */
export class Breaker {
  /** The jobs of the latest calls, all of which failed. */
  readonly #failed = new Set<string>();
  #open: Open | undefined;
  #probe: AttemptKey | undefined;

  /** @param holds whether an attempt still holds its job. */
  closedUntil(
    { isPulled, hasBreaker }: ClaimRequest,
    now: number,
    holds: (attempt: AttemptKey) => boolean,
  ): number | undefined {
    if (isPulled === true) return undefined;
    if (hasBreaker !== true) this.close();
    if (this.#open === undefined) return undefined;
    if (this.#open.until > now) return this.#open.until;
    return this.#probe !== undefined && holds(this.#probe) ? now + PROBE_CHECK : undefined;
  }

  /** A claim took a job. */
  started(attempt: AttemptKey, { isPulled }: ClaimRequest): void {
    if (this.#open !== undefined && isPulled !== true) this.#probe = attempt;
  }

  judge({ jobId, token }: AttemptKey, verdict: Verdict, now: number): BreakerMove | undefined {
    const { isDown, reason, failures, maxOpenFor } = verdict;
    if (this.#open !== undefined) {
      if (this.#probe?.token !== token) return undefined;
      this.#probe = undefined;
      if (!isDown) {
        this.close();
        return 'closed';
      }
      const openFor = Math.min(2 * this.#open.openFor, maxOpenFor);
      this.#open = { since: this.#open.since, until: now + openFor, openFor, reason };
      return undefined;
    }
    if (!isDown) {
      if (verdict.isOfProbe !== true) this.#failed.clear();
      return undefined;
    }
    if (this.#failed.add(jobId).size < failures) return undefined;
    this.#failed.clear();
    const { openFor } = verdict;
    this.#open = { since: now, until: now + openFor, openFor, reason };
    return 'opened';
  }

  close(): void {
    this.#failed.clear();
    this.#open = undefined;
    this.#probe = undefined;
  }

  state(now: number): OpenBreaker | undefined {
    if (this.#open === undefined) return undefined;
    const { since, until, reason } = this.#open;
    return { since, reason, ...(until > now && { until }) };
  }
}
