import type { Attempt, AttemptKey } from '../../../../domain/attempts/attempt.ts';
import type { AttemptEnding, Settled } from '../../../../domain/attempts/ending.ts';
import type { Claim, ClaimRequest } from '../../../../domain/attempts/claim.ts';
import { expiredReason } from '../../../../domain/attempts/expiry.ts';
import type { JobOptions } from '../../../../domain/jobs/job-options.ts';
import { withFailure } from '../../../../domain/jobs/job.ts';
import type { QueueName } from '../../../../domain/queues/queue-name.ts';
import { recordAttempt } from './attempt-records.ts';
import { Breaker } from './breaker.ts';
import { CallWindow } from './call-window.ts';
import { Gate } from './gate.ts';
import { toJob, type StoredJob } from './stored-job.ts';
import type { QueueJobs } from './queue-jobs.ts';
import { finish } from './retention.ts';

type Deferral = Extract<AttemptEnding, { readonly kind: 'deferred' }>;

/** The attempts to process the jobs of one queue: how they start, are held and end. */
export class Attempts {
  readonly #jobs: QueueJobs;
  readonly #queue: QueueName;
  readonly #skip: (job: StoredJob, now: number) => boolean;
  readonly #window = new CallWindow();
  /**
   * The calls whose jobs were cancelled and which may still run, by their tokens: until when (epoch ms) each counts for
   * the concurrency at the longest.
   */
  readonly #endingCalls = new Map<string, number>();
  /** Jobs that their endpoints accepted; some may have ended since. */
  readonly #accepted = new Set<StoredJob>();
  readonly gate = new Gate();
  readonly breaker = new Breaker();
  /** Whether the queue is paused, so that no attempt may start. */
  isPaused = false;

  /** @param skip removes a job that must not start from the queue; returns whether it did. */
  constructor(jobs: QueueJobs, queue: QueueName, skip: (job: StoredJob, now: number) => boolean) {
    this.#jobs = jobs;
    this.#queue = queue;
    this.#skip = skip;
  }

  claim(request: ClaimRequest, now: number): Claim {
    const { concurrency = Infinity, limiter } = request;
    const claimed = request.isRepeated === true ? this.#claimedWith(request.token) : undefined;
    if (claimed !== undefined) return { kind: 'attempt', attempt: claimed };
    const closedUntil =
      this.gate.closedUntil(now) ??
      this.breaker.closedUntil(request, now, (attempt) => this.held(attempt) !== undefined);
    if (closedUntil !== undefined) return { kind: 'limited', until: closedUntil };
    const running = this.#jobs.count('active') + this.#countEndingCalls(now);
    if (this.isPaused || running >= concurrency) return { kind: 'idle' };
    const until = limiter && this.#window.closedUntil(limiter, now);
    if (until !== undefined) return { kind: 'limited', until };
    const job = this.#takeNext(now);
    if (job === undefined) {
      const nextAt = this.#jobs.nextDueAt();
      return { kind: 'idle', ...(nextAt !== undefined && { nextAt }) };
    }
    if (limiter !== undefined && job.mustFail === undefined) this.#window.countCall(limiter, now);
    const attempt = this.#start(job, request, now);
    this.breaker.started(attempt, request);
    return { kind: 'attempt', attempt };
  }

  /** The job of the attempt is about to be cancelled. Its call counts for the concurrency until it is over. */
  cancelled({ lock }: StoredJob, now: number): void {
    if (lock?.isCalled === true && lock.expiresAt > now) {
      this.#endingCalls.set(lock.token, lock.expiresAt);
    }
  }

  endCall({ token }: AttemptKey): void {
    this.#endingCalls.delete(token);
  }

  /** The attempt's job, undefined once it ended or the stalled check put it back. */
  held({ jobId, token }: AttemptKey): StoredJob | undefined {
    const job = this.#jobs.find(jobId);
    return job?.lock?.token === token ? job : undefined;
  }

  /** Does not record an attempt that has lost its job. */
  settle(attempt: AttemptKey, ending: AttemptEnding, now: number): Settled {
    const job = this.held(attempt);
    if (job === undefined) return { held: false };
    if (ending.call !== undefined) {
      const reason = ending.kind === 'completed' ? (ending.call.doubt ?? null) : ending.reason;
      recordAttempt(job, { ...ending.call, reason }, now);
    }
    switch (ending.kind) {
      case 'completed':
        job.returnvalue = JSON.stringify(ending.returnvalue);
        endAttempt(job);
        finish(this.#jobs, job, 'completed', ending.keep, now);
        break;
      case 'failed':
        recordFailure(job, ending.reason);
        endAttempt(job);
        finish(this.#jobs, job, 'failed', ending.keep, now);
        break;
      case 'retry':
        recordFailure(job, ending.reason);
        endAttempt(job);
        if (ending.delay > 0) this.#jobs.defer(job, ending.delay, now);
        else this.#jobs.enqueue(job);
        break;
      case 'deferred':
        return { held: true, beginsHold: this.#defer(job, ending, now) };
    }
    const breaker = ending.verdict && this.breaker.judge(attempt, ending.verdict, now);
    return { held: true, ...(breaker && { breaker }) };
  }

  /** Lets no attempt start for some ms; a hold that lasts longer stays. @returns when (epoch ms) the hold ends. */
  hold(duration: number, now: number): number {
    const before = this.gate.closedUntil(now);
    const until = this.gate.hold(duration, now);
    if (until !== before) this.#jobs.events.record('held', undefined, until);
    return until;
  }

  /** @returns whether a hold of the queue begins with it. */
  #defer(job: StoredJob, { scope, until }: Deferral, now: number): boolean {
    const wait = until - now;
    this.#jobs.events.record('deferred', job.id);
    unlock(job);
    job.deferrals += 1;
    if (scope === 'job' && wait > 0) {
      this.#jobs.defer(job, wait, now);
      return false;
    }
    const wasHeld = this.gate.closedUntil(now) !== undefined;
    if (wait > 0) this.hold(wait, now);
    this.#jobs.putBack(job);
    return wait > 0 && !wasHeld;
  }

  /** Puts the job back, now or after `delay` ms. @returns false when the attempt had lost its job. */
  release(attempt: AttemptKey, delay: number, now: number): boolean {
    const job = this.held(attempt);
    if (job === undefined) return false;
    unlock(job);
    if (delay > 0) this.#jobs.defer(job, delay, now);
    else this.#jobs.putBack(job);
    return true;
  }

  /** No replica renews the lock of an accepted job, so its lock does not run out. */
  accept(attempt: AttemptKey, duration: number, now: number): boolean {
    const job = this.held(attempt);
    if (job === undefined) return false;
    const { token } = attempt;
    job.acceptance = { token, since: now, until: now + duration };
    job.lock = { token, expiresAt: Infinity, isCalled: false };
    job.suspect = false;
    this.#accepted.add(job);
    return true;
  }

  extend(attempt: AttemptKey, duration: number, now: number): boolean {
    const job = this.held(attempt);
    if (job?.acceptance?.token !== attempt.token) return this.renew(attempt, duration, now);
    job.acceptance = { ...job.acceptance, until: now + duration };
    return true;
  }

  /** The overdue accepted jobs, each with the time it had, in ms. */
  overdue(now: number): readonly (readonly [attempt: Attempt, bound: number])[] {
    const overdue: [Attempt, number][] = [];
    for (const job of this.#accepted) {
      const { acceptance, lock } = job;
      if (acceptance === undefined || lock?.token !== acceptance.token) this.#accepted.delete(job);
      else if (acceptance.until <= now) {
        const bound = acceptance.until - acceptance.since;
        overdue.push([this.#attempt(job, acceptance.token), bound]);
      }
    }
    return overdue;
  }

  renew(attempt: AttemptKey, duration: number, now: number): boolean {
    const job = this.held(attempt);
    if (job === undefined) return false;
    job.lock = {
      token: attempt.token,
      expiresAt: now + duration,
      isCalled: job.lock?.isCalled === true,
    };
    job.suspect = false;
    return true;
  }

  /** Fails up to `most` jobs whose time to start is over. @returns how many. */
  expire(now: number, most: number): number {
    for (let failed = 0; failed < most; failed += 1) {
      const job = this.#jobs.expired(now);
      if (job === undefined) return failed;
      this.#fail(job, now);
    }
    return most;
  }

  #takeNext(now: number): StoredJob | undefined {
    for (;;) {
      const job = this.#jobs.takeNext(now);
      if (job === undefined) return undefined;
      if (job.expiresAt !== undefined && job.expiresAt <= now) this.#fail(job, now);
      else if (!this.#skip(job, now)) return job;
    }
  }

  #fail(job: StoredJob, now: number): void {
    job.failedReason = expiredReason((JSON.parse(job.opts) as JobOptions).ttl);
    job.delay = 0;
    finish(this.#jobs, job, 'failed', {}, now);
  }

  #countEndingCalls(now: number): number {
    for (const [token, until] of this.#endingCalls) {
      if (until <= now) this.#endingCalls.delete(token);
    }
    return this.#endingCalls.size;
  }

  #claimedWith(token: string): Attempt | undefined {
    const job = this.#jobs.active().find(({ lock }) => lock?.token === token);
    return job && this.#attempt(job, token);
  }

  #start(job: StoredJob, request: ClaimRequest, now: number): Attempt {
    const { token, lockDuration, isPulled = false } = request;
    job.lock = { token, expiresAt: now + lockDuration, isCalled: !isPulled };
    this.#jobs.startedInTime(job);
    job.processedOn = now;
    job.attemptsStarted += 1;
    this.#jobs.events.record('active', job.id);
    return this.#attempt(job, token);
  }

  #attempt(stored: StoredJob, token: string): Attempt {
    const job = toJob(stored, this.#queue);
    const { mustFail, deferrals } = stored;
    return {
      jobId: job.id,
      token,
      job,
      ...(mustFail && { mustFail }),
      ...(deferrals > 0 && { deferrals }),
    };
  }
}

export function endAttempt(job: StoredJob): void {
  unlock(job);
  job.attemptsMade += 1;
}

export function recordFailure(job: StoredJob, reason: string): void {
  job.failedReason = reason;
  job.stacktrace = withFailure(job.stacktrace, reason);
}

export function isLocked(job: StoredJob, now: number): boolean {
  return job.lock !== undefined && now < job.lock.expiresAt;
}

export function unlock(job: StoredJob): void {
  job.lock = undefined;
  job.suspect = false;
}
