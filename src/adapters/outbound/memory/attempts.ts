import { randomBytes } from 'node:crypto';
import type {
  Attempt,
  AttemptEnding,
  Claim,
  ClaimRequest,
} from '../../../application/ports/job-consumer-port.ts';
import { withFailure } from '../../../domain/job.ts';
import { CallWindow } from './call-window.ts';
import { toJob, type JobRecord } from './job-record.ts';
import type { QueueJobs } from './queue-jobs.ts';
import { applyRetention } from './retention.ts';

const TOKEN_BYTES = 24;

/** The attempts to process the jobs of one queue: how they start, are held and end. */
export class Attempts {
  readonly #jobs: QueueJobs;
  readonly #queueQualifiedName: string;
  readonly #window = new CallWindow();

  constructor(jobs: QueueJobs, queueQualifiedName: string) {
    this.#jobs = jobs;
    this.#queueQualifiedName = queueQualifiedName;
  }

  claim(request: ClaimRequest, now: number): Claim {
    const { concurrency, limiter, lockDuration } = request;
    if (this.#jobs.count('active') >= concurrency) return { kind: 'idle' };
    const until = limiter && this.#window.closedUntil(limiter, now);
    if (until !== undefined) return { kind: 'limited', until };
    const job = this.#jobs.takeNext(now);
    if (job === undefined) {
      const nextAt = this.#jobs.availableAt();
      return { kind: 'idle', ...(nextAt !== undefined && { nextAt }) };
    }
    if (limiter !== undefined && job.mustFail === undefined) this.#window.countCall(limiter, now);
    return { kind: 'attempt', attempt: this.#start(job, lockDuration, now) };
  }

  /**
   * When (epoch ms) a claim may get a job. Jobs that it may not take do not count, or else a consumer
   * whose claim was refused would claim in a tight loop.
   */
  nextChance({ concurrency, limiter }: ClaimRequest, now: number): number {
    if (this.#jobs.count('active') >= concurrency) return Infinity;
    const allowedAt = (limiter && this.#window.closedUntil(limiter, now)) ?? 0;
    return Math.max(allowedAt, this.#jobs.availableAt() ?? Infinity);
  }

  /** The job that the token is good for, undefined once its attempt ended or its lock ran out. */
  held(jobId: string, token: string, now: number): JobRecord | undefined {
    const job = this.#jobs.find(jobId);
    return job?.lock?.token === token && isLocked(job, now) ? job : undefined;
  }

  /** False when the attempt had lost its job: then nothing is recorded. */
  settle(attempt: Attempt, ending: AttemptEnding, now: number): boolean {
    const job = this.#heldBy(attempt);
    if (job === undefined) return false;
    switch (ending.kind) {
      case 'completed':
        job.returnvalue = JSON.stringify(ending.returnvalue);
        this.#end(job);
        this.#jobs.finish(job, 'completed', now);
        applyRetention(this.#jobs, 'completed', ending.keep ?? {}, now);
        break;
      case 'failed':
        this.#recordFailure(job, ending.reason);
        this.#end(job);
        this.#jobs.finish(job, 'failed', now);
        applyRetention(this.#jobs, 'failed', ending.keep ?? {}, now);
        break;
      case 'retry':
        this.#recordFailure(job, ending.reason);
        this.#end(job);
        if (ending.delay > 0) this.#jobs.defer(job, ending.delay, now);
        else this.#jobs.enqueue(job);
    }
    return true;
  }

  release(attempt: Attempt): void {
    const job = this.#heldBy(attempt);
    if (job === undefined) return;
    unlock(job);
    this.#jobs.putBack(job);
  }

  extend(attempt: Attempt, duration: number, now: number): boolean {
    const job = this.#heldBy(attempt);
    if (job === undefined) return false;
    job.lock = { token: attempt.token, expiresAt: now + duration };
    job.suspect = false;
    return true;
  }

  /** The attempt's job, undefined once it ended or the stalled check gave it away. */
  #heldBy({ job: { id }, token }: Attempt): JobRecord | undefined {
    const job = this.#jobs.find(id);
    return job?.lock?.token === token ? job : undefined;
  }

  #start(job: JobRecord, lockDuration: number, now: number): Attempt {
    const token = randomBytes(TOKEN_BYTES).toString('base64url');
    job.lock = { token, expiresAt: now + lockDuration };
    job.processedOn = now;
    job.attemptsStarted += 1;
    const { mustFail } = job;
    return { job: toJob(job, this.#queueQualifiedName), token, ...(mustFail && { mustFail }) };
  }

  #end(job: JobRecord): void {
    unlock(job);
    job.attemptsMade += 1;
  }

  #recordFailure(job: JobRecord, reason: string): void {
    job.failedReason = reason;
    job.stacktrace = withFailure(job.stacktrace, reason);
  }
}

export function isLocked(job: JobRecord, now: number): boolean {
  return job.lock !== undefined && now < job.lock.expiresAt;
}

export function unlock(job: JobRecord): void {
  job.lock = undefined;
  job.suspect = false;
}
