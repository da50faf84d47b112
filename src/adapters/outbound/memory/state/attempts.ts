import { withAttempt, type AttemptEnd } from '../../../../domain/attempts/attempt-record.ts';
import type { FailedJob } from '../../../../domain/jobs/failures.ts';
import type { Attempt, AttemptKey } from '../../../../domain/attempts/attempt.ts';
import {
  breakerAfterStart,
  breakerAtClaim,
  CLOSED_BREAKER,
  type BreakerState,
  judged,
  openBreaker,
  type OpenBreaker,
} from '../../../../domain/attempts/breaker.ts';
import { batchIdOf, callsOf, mayJoin } from '../../../../domain/attempts/batch.ts';
import type { Claim, ClaimRequest } from '../../../../domain/attempts/claim.ts';
import {
  afterEnding,
  afterRelease,
  recordOf,
  type AttemptEnding,
  type JobMove,
  type Settled,
} from '../../../../domain/attempts/ending.ts';
import { expiredReason, hasExpired } from '../../../../domain/attempts/expiry.ts';
import {
  afterCall,
  afterCancellation,
  countedCalls,
  heldAt,
  heldFor,
  refusal,
  type EndingCalls,
  type Gate,
} from '../../../../domain/attempts/gate.ts';
import type { StandingQuery } from '../../../../application/ports/queue-standing-port.ts';
import { nextStartAt } from '../../../../domain/queues/limiter.ts';
import type { Hold, Holder } from '../../../../domain/queues/hold.ts';
import type { JobOptions } from '../../../../domain/jobs/job-options.ts';
import { withFailure } from '../../../../domain/jobs/job.ts';
import type { QueueName } from '../../../../domain/queues/queue-name.ts';
import type { QueueStanding } from '../../../../domain/workers/blocked.ts';
import type { CallsOfSeveral } from './calls-of-several.ts';
import { CallWindow } from './call-window.ts';
import { toJob, type StoredJob } from './stored-job.ts';
import type { QueueJobs } from './queue-jobs.ts';
import { finish } from './retention.ts';

/** What holds back the attempts of a queue, besides its jobs. */
export interface AttemptsRecord {
  readonly isPaused: boolean;
  /** How many starts the limiter does not count any more. */
  readonly outdatedStarts: number;
  readonly hold: Hold | undefined;
  readonly breaker: BreakerState;
  /** The calls of cancelled jobs that still count, by their tokens. */
  readonly endingCalls: readonly (readonly [token: string, until: number])[];
  /** The jobs that claims failed, and that no sweep has seen yet. */
  readonly failedByClaims: readonly JobFailedByClaim[];
}

/** A job that a claim failed because it did not start in time. */
interface JobFailedByClaim extends FailedJob {
  /** Epoch ms. */
  readonly at: number;
}

/** The attempts to process the jobs of one queue: how they start, are held and end. */
export class Attempts {
  readonly #jobs: QueueJobs;
  readonly #queue: QueueName;
  readonly #skip: (job: StoredJob, now: number) => boolean;
  #window: CallWindow;
  readonly #windowChanged: (piece: number) => void;
  #endingCalls: EndingCalls = new Map();
  #hold: Hold | undefined;
  #breaker = CLOSED_BREAKER;
  /** Jobs that their endpoints accepted; some may have ended since. */
  readonly #accepted = new Set<StoredJob>();
  /** Jobs that claims failed because they did not start in time, and that no sweep has seen yet. */
  readonly #failedByClaims: JobFailedByClaim[] = [];
  /** Whether the queue is paused, so that no attempt may start. */
  isPaused = false;

  /**
   * @param skip removes a job that must not start from the queue; returns whether it did.
   * @param windowChanged receives each piece of the window of the limiter that changes.
   */
  constructor(
    jobs: QueueJobs,
    queue: QueueName,
    skip: (job: StoredJob, now: number) => boolean,
    windowChanged: (piece: number) => void,
  ) {
    this.#windowChanged = windowChanged;
    this.#window = new CallWindow(windowChanged);
    this.#jobs = jobs;
    this.#queue = queue;
    this.#skip = skip;
  }

  /** The starts that the limiter counts. */
  get window(): CallWindow {
    return this.#window;
  }

  /** Replaced whenever it changes. */
  get breaker(): BreakerState {
    return this.#breaker;
  }

  get record(): AttemptsRecord {
    return {
      isPaused: this.isPaused,
      outdatedStarts: this.#window.dropped,
      hold: this.#hold,
      breaker: this.#breaker,
      endingCalls: [...this.#endingCalls],
      failedByClaims: [...this.#failedByClaims],
    };
  }

  restore(record: AttemptsRecord): void {
    const { isPaused, outdatedStarts, hold, breaker, endingCalls } = record;
    this.#endingCalls = new Map(endingCalls);
    this.isPaused = isPaused;
    this.#window = new CallWindow(this.#windowChanged, outdatedStarts);
    this.#hold = hold;
    this.#breaker = breaker;
  }

  /** To be called once all jobs are there. */
  restoreJobs({ failedByClaims }: AttemptsRecord): void {
    for (const job of this.#jobs.listed.active()) {
      if (job.acceptance !== undefined) this.#accepted.add(job);
    }
    this.#failedByClaims.push(...failedByClaims);
  }

  /** The process that made the calls has ended. */
  loseCalls(): void {
    for (const token of this.#endingCalls.keys()) this.#jobs.groups.callEnded(token);
    this.#endingCalls = new Map();
    for (const job of this.#jobs.listed.active()) {
      if (job.lock?.isCalled !== true) continue;
      unlock(job);
      job.suspect = true;
    }
  }

  claim(request: ClaimRequest, now: number): Claim {
    const claimed = request.isRepeated === true ? this.#claimedWith(request.token) : undefined;
    if (claimed !== undefined) return { kind: 'attempt', attempt: claimed };
    const refused = refusal(this.#gate(request, now), request, now);
    if (refused !== undefined) return refused;
    const job = this.#takeNext(now, request);
    if (job === 'another') return { kind: 'idle', nextAt: now };
    if (job === undefined) {
      const nextAt = earliest(this.#jobs.listed.nextDueAt(), this.#jobs.groups.nextAt());
      return { kind: 'idle', ...(nextAt !== undefined && { nextAt }) };
    }
    const { limiter } = request;
    if (limiter !== undefined && job.mustFail === undefined) this.#window.countCall(limiter, now);
    const attempt = this.#start(job, request, now);
    this.#breaker = breakerAfterStart(this.#breaker, attempt, request);
    return { kind: 'attempt', attempt };
  }

  /** Called before an active job is cancelled. Its call counts towards the concurrency until it is over. */
  cancelled(job: StoredJob, now: number): void {
    const { lock } = job;
    if (lock === undefined) return;
    this.#endingCalls = afterCancellation(this.#endingCalls, lock, now);
    const until = this.#endingCalls.get(lock.token);
    if (until !== undefined) this.#jobs.groups.callEnds(lock.token, job, until);
  }

  endCall({ token }: AttemptKey): void {
    this.#endingCalls = afterCall(this.#endingCalls, token);
    this.#jobs.groups.callEnded(token);
  }

  /** The attempt's job, undefined once it ended or the stalled check put it back. */
  held({ jobId, token }: AttemptKey): StoredJob | undefined {
    const job = this.#jobs.findStored(jobId);
    return job?.lock?.token === token ? job : undefined;
  }

  /** Records nothing for an attempt that has lost its job. */
  settle(attempt: AttemptKey, ending: AttemptEnding, now: number): Settled {
    const job = this.held(attempt);
    if (job === undefined) return { held: false };
    const record = recordOf(ending);
    if (record !== undefined) recordAttempt(job, record, now);
    const { move, holds, holdsGroup } = afterEnding(ending, now, job.group !== undefined);
    // A job that failed alone stays apart from those of other halves.
    if ('half' in ending && ending.half !== undefined) job.half = ending.half;
    if (ending.kind === 'deferred') {
      if (ending.half === undefined) {
        this.#jobs.events.record('deferred', job.id);
        job.deferrals += 1;
      }
      unlock(job);
      const beginsHold = holds !== undefined && this.holdAt(now) === undefined;
      if (holds !== undefined) this.hold(holds, 'endpoint', now);
      if (holdsGroup !== undefined && job.group !== undefined) {
        this.#jobs.groups.hold(job.group.id, holdsGroup, now);
      }
      this.#move(job, move, now);
      return { held: true, beginsHold };
    }
    if (ending.kind === 'completed') job.returnvalue = JSON.stringify(ending.returnvalue);
    else recordFailure(job, ending.reason);
    endAttempt(job);
    this.#moveEnded(job, ending, move, now);
    if (ending.verdict === undefined) return { held: true };
    const { state, move: breaker } = judged(this.#breaker, attempt, ending.verdict, now);
    this.#breaker = state;
    return { held: true, ...(breaker && { breaker }) };
  }

  /** The hold of the queue; undefined when it is not held. */
  holdAt(now: number): Hold | undefined {
    return heldAt(this.#hold, now);
  }

  /** Lets no attempt start for `duration` ms; a longer hold stays as it is. @returns when (epoch ms) the hold ends. */
  hold(duration: number, by: Holder, now: number): number {
    const before = this.holdAt(now);
    this.#hold = heldFor(before, duration, by, now);
    const { until } = this.#hold;
    if (until !== before?.until) this.#jobs.events.record('held', undefined, until);
    return until;
  }

  endHold(): void {
    this.#hold = undefined;
  }

  openBreaker(now: number): OpenBreaker | undefined {
    return openBreaker(this.#breaker, now);
  }

  standing(
    { limiter, hasBatches }: Pick<StandingQuery, 'limiter' | 'hasBatches'>,
    now: number,
  ): QueueStanding {
    this.#endingCalls = countedCalls(this.#endingCalls, now);
    const latestStart = this.#jobs.listed.latestActive()?.processedOn;
    const limitedUntil = limiter && nextStartAt(limiter, this.#window.earliest(limiter), now);
    const nextDue = this.#jobs.listed.nextDueAt();
    const breaker = this.openBreaker(now);
    return {
      now,
      running: hasBatches === true ? callsOf(this.#tokens()) : this.#running,
      ...(latestStart !== undefined && { latestStart }),
      ...(limitedUntil !== undefined && { limitedUntil }),
      ...(nextDue !== undefined && { nextDue }),
      ...(breaker !== undefined && { breaker }),
      ...(this.#jobs.groups.areBlocked(now) && { areGroupsBlocked: true }),
    };
  }

  get #running(): number {
    return this.#jobs.listed.count('active') + this.#endingCalls.size;
  }

  /**
   * How many calls run besides that of the token. While fewer jobs run than the concurrency, their number stands in.
   */
  #callsBeside({ token, concurrency = Infinity }: ClaimRequest): number {
    if (this.#running < concurrency) return this.#running;
    const own = batchIdOf(token);
    return callsOf(this.#tokens().filter((each) => batchIdOf(each) !== own));
  }

  /** The tokens of all attempts that count towards the concurrency. */
  #tokens(): readonly string[] {
    const held = this.#jobs.listed
      .active()
      .flatMap(({ lock }) => (lock === undefined ? [] : [lock.token]));
    return [...held, ...this.#endingCalls.keys()];
  }

  closeBreaker(): void {
    this.#breaker = CLOSED_BREAKER;
  }

  /** Takes the latest start off the limiters: its job is about to go back without a call. */
  countNoStart(attempt: AttemptKey): void {
    const job = this.held(attempt);
    if (job === undefined || job.mustFail !== undefined) return;
    this.#window.countNoCall();
    this.#jobs.groups.countNoStart(job);
  }

  /** Puts the job back, now or after `delay` ms. @returns false when the attempt had lost its job. */
  release(attempt: AttemptKey, delay: number, now: number): boolean {
    const job = this.held(attempt);
    if (job === undefined) return false;
    unlock(job);
    this.#move(job, afterRelease(delay), now);
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
    this.#jobs.changed(job);
    this.#accepted.add(job);
    return true;
  }

  extend(attempt: AttemptKey, duration: number, now: number): boolean {
    const job = this.held(attempt);
    if (job?.acceptance?.token !== attempt.token) return this.renew(attempt, duration, now);
    const { token, since } = job.acceptance;
    job.acceptance = { token, since, until: now + duration };
    this.#jobs.changed(job);
    return true;
  }

  /**
   * The overdue accepted jobs, each with the time it was given, in ms.
   *
   * @param patience for how long those that it returns are not returned again, in ms.
   */
  overdue(now: number, patience: number): readonly (readonly [attempt: Attempt, bound: number])[] {
    const overdue: [Attempt, number][] = [];
    for (const job of this.#accepted) {
      const { acceptance, lock } = job;
      if (acceptance === undefined || lock?.token !== acceptance.token) this.#accepted.delete(job);
      else if ((acceptance.foundUntil ?? acceptance.until) <= now) {
        job.acceptance = { ...acceptance, foundUntil: now + patience };
        this.#jobs.changed(job);
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
    this.#jobs.changed(job);
    return true;
  }

  /**
   * Fails jobs that did not start in time. @returns up to `most` of them, those that claims failed and that are kept
   * first.
   */
  expire(now: number, most: number): readonly FailedJob[] {
    const failed = this.#failedByClaims
      .splice(0, most)
      .filter(({ id, at }) => {
        const job = this.#jobs.find(id);
        return job?.status === 'failed' && job.finishedOn === at;
      })
      .map(({ id, reason }): FailedJob => ({ id, reason }));
    while (failed.length < most) {
      const job = this.#jobs.expired(now);
      if (job === undefined) break;
      failed.push(this.#fail(job, now));
    }
    return failed;
  }

  /** `another` when the next job may not join the call that claims. */
  #takeNext(now: number, { groups, batch }: ClaimRequest): StoredJob | 'another' | undefined {
    for (;;) {
      const only = batch?.by === 'group' ? batch.kin : undefined;
      const mayTake = ({ name, half, group }: StoredJob): boolean =>
        batch === undefined || mayJoin(batch, { name, half, group: group?.id });
      const isAnyOrder = batch?.by === 'name';
      const isOfBatch = batch !== undefined;
      const terms = { defaults: groups, mayTake, isOfBatch, isAnyOrder };
      const claim = { ...terms, ...(only && { only }) };
      const job = this.#jobs.takeNext(now, claim);
      if (job === undefined || job === 'another') return job;
      if (hasExpired(job.expiresAt, now)) {
        this.#failedByClaims.push({ ...this.#fail(job, now), at: now });
      } else if (!this.#skip(job, now)) return job;
    }
  }

  #fail(job: StoredJob, now: number): FailedJob {
    const reason = expiredReason((JSON.parse(job.opts) as JobOptions).ttl);
    job.failedReason = reason;
    job.delay = 0;
    finish(this.#jobs, job, 'failed', {}, now);
    this.#blockGroup(job);
    return { id: job.id, reason };
  }

  /** A job that failed for good blocks its group if the group's order says so and the job is kept. */
  #blockGroup(job: StoredJob): void {
    if (this.#jobs.find(job.id) === job) this.#jobs.groups.failed(job);
  }

  /** The state that a claim is checked against. Removes what no longer counts. */
  #gate(request: ClaimRequest, now: number): Gate {
    const hold = this.holdAt(now);
    if (hold === undefined) this.#breaker = breakerAtClaim(this.#breaker, request);
    this.#endingCalls = countedCalls(this.#endingCalls, now);
    const { probe } = this.#breaker;
    return {
      isPaused: this.isPaused,
      hold,
      breaker: this.#breaker,
      isProbing: probe !== undefined && this.held(probe) !== undefined,
      running: request.batch === undefined ? this.#running : this.#callsBeside(request),
      earliestStart: request.limiter && this.#window.earliest(request.limiter),
    };
  }

  #move(job: StoredJob, move: JobMove, now: number): void {
    switch (move.to) {
      case 'end':
        finish(this.#jobs, job, move.status, move.keep, now);
        break;
      case 'delayed':
        this.#jobs.defer(job, move.delay, now);
        this.#jobs.groups.delayed(job);
        break;
      case 'place':
        this.#jobs.enqueue(job);
        break;
      case 'back':
        this.#jobs.putBack(job);
    }
  }

  /** Where jobs of groups are ordered, a failed job keeps its place ahead of the others. */
  #moveEnded(job: StoredJob, ending: AttemptEnding, move: JobMove, now: number): void {
    if (job.group !== undefined && move.to === 'place') this.#jobs.putBack(job);
    else this.#move(job, move, now);
    if (ending.kind === 'failed') this.#blockGroup(job);
  }

  #claimedWith(token: string): Attempt | undefined {
    const job = this.#jobs.listed.active().find(({ lock }) => lock?.token === token);
    return job && this.#attempt(job, token);
  }

  #start(job: StoredJob, request: ClaimRequest, now: number): Attempt {
    const { token, lockDuration, isPulled = false } = request;
    job.lock = { token, expiresAt: now + lockDuration, isCalled: !isPulled };
    this.#jobs.startedInTime(job);
    if (this.#jobs.groups.isGrouped) this.#jobs.groups.started(job, now);
    job.processedOn = now;
    job.attemptsStarted += 1;
    this.#jobs.events.record('active', job.id);
    return this.#attempt(job, token);
  }

  #attempt(stored: StoredJob, token: string): Attempt {
    const job = toJob(stored, this.#queue);
    const { mustFail, deferrals, half } = stored;
    return {
      jobId: job.id,
      token,
      job,
      ...(mustFail && { mustFail }),
      ...(deferrals > 0 && { deferrals }),
      ...(half !== undefined && { half }),
    };
  }
}

function earliest(one: number | undefined, other: number | undefined): number | undefined {
  return one === undefined || other === undefined ? (one ?? other) : Math.min(one, other);
}

/** Records an attempt that ends now. */
export function recordAttempt(job: StoredJob, ended: AttemptEnd, now: number): void {
  job.attempts = withAttempt(job.attempts, ended, job.processedOn ?? now, now);
}

/** Records the attempt of an active job that is taken from its holder. */
export function recordTaken(
  job: StoredJob,
  ended: Pick<AttemptEnd, 'outcome' | 'reason'>,
  calls: CallsOfSeveral,
  now: number,
): void {
  const { token } = job.lock ?? {};
  const batch = token && calls.of(token);
  const taken = token && { token, starts: job.attemptsStarted };
  recordAttempt(job, { ...ended, ...(batch && { batch }), ...(taken && { taken }) }, now);
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
