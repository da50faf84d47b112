import { Deferred, JobgateError } from 'jobgate-client';
import type { AfterCall, Caller, CallResult, ClaimedJob } from './calls.ts';
import type { Invocation } from './invocation.ts';
import { inShort } from './service/refusal.ts';

/** How long (ms) a job is held without an extension. */
export const LOCK = 30_000;

/** The longest time (ms) for which the API holds a job. */
const LONGEST_LOCK = 43_200_000;

/** The status of the refusal of steps beyond a bound, after which no other attempt helps. */
const TOO_LARGE = 413;

/** Statuses of refusals of steps. */
const REFUSALS = [400, TOO_LARGE, 429];

/** How a call went, as it is shown. */
export interface Forwarded {
  readonly job: string;
  readonly name: string;
  /** That of the attempt; `accepted`, `released` for a job that was given back, `lost` for one that another ended. */
  readonly outcome: string;
  readonly status: number | null;
  readonly durationMs: number;
  readonly reason: string | null;
  /** Milliseconds until the job may start again; null when it has ended or was left to its endpoint. */
  readonly againIn: number | null;
}

/** A claimed job: holds it during its call, and reports what the answer means for it. */
export class ForwardedJob {
  readonly #call: Invocation;
  readonly #claimed: ClaimedJob;
  readonly #held: Deferred;

  constructor(call: Invocation, claimed: ClaimedJob) {
    this.#call = call;
    this.#claimed = claimed;
    const { job, token } = claimed;
    this.#held = Deferred.from({ url: call.service.url, queue: call.queue, id: job.id, token });
  }

  /**
   * Makes the call and reports on it. When the signal aborts, gives the job back.
   *
   * @throws JobgateError when the service refuses the report.
   * @throws Failed when this machine cannot make calls.
   */
  async forward(caller: Caller, end: AbortSignal): Promise<Forwarded> {
    const startedAt = Date.now();
    const lost = new AbortController();
    let result = end.aborted ? undefined : await this.#called(caller, end, lost);
    const durationMs = Date.now() - startedAt;
    if (lost.signal.aborted) return this.#shown({ outcome: 'lost' }, durationMs);
    try {
      if (end.aborted || result === undefined) {
        await this.#held.release();
        return this.#shown({ outcome: 'released' }, durationMs);
      }
      const { after } = result;
      if (after.kind === 'suspended') result = await this.#suspend(result, after.answer);
      else await this.#report(after);
    } catch (error) {
      // Whoever has its token may have ended it: the endpoint, or a caller who cancelled it.
      if (isLost(error)) return this.#shown({ outcome: 'lost' }, durationMs);
      throw error;
    }
    return this.#shown(result, durationMs);
  }

  /** The job goes back when its call could not be made. */
  async #called(caller: Caller, end: AbortSignal, lost: AbortController): Promise<CallResult> {
    const extending = setInterval(() => {
      this.#held.extend(LOCK).catch((error: unknown) => {
        if (isLost(error)) lost.abort();
      });
    }, LOCK / 3);
    try {
      return await caller.call(this.#claimed, AbortSignal.any([end, lost.signal]));
    } catch (error) {
      await this.#held.release();
      throw error;
    } finally {
      clearInterval(extending);
    }
  }

  async #report(after: Exclude<AfterCall, { readonly kind: 'suspended' }>): Promise<void> {
    switch (after.kind) {
      case 'completed':
        return this.#held.complete(after.returnvalue);
      case 'failed':
        return this.#held.fail(after.reason, { retry: false });
      case 'retry':
        return this.#held.fail(after.reason, { delay: after.delay });
      case 'deferred':
        return this.#putOff(after.scope, after.until - Date.now());
      case 'accepted':
        await this.#held.extend(Math.min(Math.max(after.acceptedFor, 1000), LONGEST_LOCK));
    }
  }

  /**
   * The result of the call as the service took it. An answer that it refuses fails the attempt, as that of a registered
   * worker does.
   */
  async #suspend(result: CallResult, answer: unknown): Promise<CallResult> {
    try {
      await this.#held.suspend(answer);
      return result;
    } catch (error) {
      if (!(error instanceof JobgateError) || !REFUSALS.includes(error.status)) throw error;
      const { message: reason } = error;
      await this.#held.fail(reason, { retry: error.status !== TOO_LARGE });
      return { ...result, after: { kind: 'failed', reason }, outcome: 'failed' };
    }
  }

  /** Holds what the endpoint asked to hold, and gives the job back. */
  async #putOff(scope: 'queue' | 'group' | 'job', wait: number): Promise<void> {
    if (wait <= 0) return this.#held.release();
    if (scope === 'job') return this.#held.release({ delay: wait });
    const group = this.#claimed.job.opts.group?.id;
    const of =
      scope === 'group' && group !== undefined ? `/groups/${encodeURIComponent(group)}` : '';
    const path = `/queues/<queue>${of}/hold`;
    try {
      await this.#call.request('POST', path, { body: { for: wait } });
    } catch (error) {
      if (!(error instanceof JobgateError)) throw error;
      this.#call.terminal.report(
        `jobgate: The ${scope} cannot be held: ${inShort(error, this.#call)}`,
      );
      return this.#held.release({ delay: wait });
    }
    return this.#held.release();
  }

  #shown({ after, outcome, status }: Partial<CallResult>, durationMs: number): Forwarded {
    const { id, name } = this.#claimed.job;
    return {
      job: id,
      name,
      outcome: outcome ?? after?.kind ?? '',
      status: status ?? null,
      durationMs,
      reason: after !== undefined && 'reason' in after ? after.reason : null,
      againIn: waitOf(after),
    };
  }
}

function waitOf(after: AfterCall | undefined): number | null {
  if (after?.kind === 'retry') return after.delay;
  return after?.kind === 'deferred' ? Math.max(0, after.until - Date.now()) : null;
}

function isLost(error: unknown): boolean {
  return error instanceof JobgateError && error.status === 401;
}
