import type {
  Attempt,
  AttemptEnding,
  Claim,
  ClaimRequest,
  Settled,
  StalledCheckRequest,
  StalledCheckResult,
} from '../../../application/ports/job-consumer-port.ts';
import type { JobLogs, JobsQuery, JobsSlice } from '../../../application/ports/queue-port.ts';
import type { ClockPort } from '../../../application/ports/clock-port.ts';
import { holdsNoJob } from '../../../domain/job-status.ts';
import {
  KEPT_LOG_LINES,
  MAX_EXISTING_BYTES,
  type AddedJob,
  type Job,
  type NewJob,
} from '../../../domain/job.ts';
import type { Json } from '../../../domain/json.ts';
import { Attempts } from './attempts.ts';
import { addedJob, shownBytes, sizeOf, toJob, type JobRecord } from './job-record.ts';
import { inPieces } from './pieces.ts';
import { QueueJobs } from './queue-jobs.ts';
import { StalledCheck } from './stalled-check.ts';

/** One queue. Each method is one step: it runs to its end before anyone sees what it did. */
export class MemoryQueue {
  readonly #clock: ClockPort;
  readonly #qualifiedName: string;
  readonly #jobs = new QueueJobs();
  readonly #attempts: Attempts;
  readonly #stalledCheck: StalledCheck;
  readonly #listeners = new Set<() => void>();

  constructor(clock: ClockPort, qualifiedName: string) {
    this.#clock = clock;
    this.#qualifiedName = qualifiedName;
    this.#attempts = new Attempts(this.#jobs, qualifiedName);
    this.#stalledCheck = new StalledCheck(this.#jobs);
  }

  add(jobs: readonly NewJob[]): readonly AddedJob[] {
    const added = this.#jobs.add(jobs, this.#clock.now());
    this.#notify();
    const existing = added.filter(({ existed }) => existed);
    const bytes = existing.reduce((sum, { record }) => sum + shownBytes(record), 0);
    const repeated = new Map<JobRecord, AddedJob>();
    for (const { record } of existing) {
      if (repeated.has(record)) continue;
      repeated.set(record, bytes > MAX_EXISTING_BYTES ? { id: record.id } : this.#toJob(record));
    }
    return added.map(({ record, existed }, index) => {
      const known = existed ? repeated.get(record) : undefined;
      return known ?? addedJob(record, jobs[index] as NewJob, this.#qualifiedName);
    });
  }

  list(query: JobsQuery): JobsSlice {
    const counts = this.#jobs.counts();
    const jobs = inPieces(this.#jobs.slice(query), sizeOf, (piece) => this.#show(piece));
    return { counts, holdsJobs: !holdsNoJob(counts), jobs };
  }

  find(jobId: string): Job | undefined {
    const record = this.#jobs.find(jobId);
    return record && this.#toJob(record);
  }

  updateProgress(jobId: string, token: string, progress: Json): boolean {
    const record = this.#attempts.held(jobId, token, this.#clock.now());
    if (record === undefined) return false;
    record.progress = JSON.stringify(progress);
    return true;
  }

  addLog(jobId: string, token: string, line: string): boolean {
    const record = this.#attempts.held(jobId, token, this.#clock.now());
    if (record === undefined) return false;
    record.logs.push(line);
    if (record.logs.length > KEPT_LOG_LINES) record.logs.shift();
    return true;
  }

  logs(jobId: string, start: number, length: number): JobLogs | undefined {
    const lines = this.#jobs.find(jobId)?.logs;
    if (lines === undefined) return undefined;
    const wanted = lines.slice(start, start + length);
    return { count: lines.length, logs: inPieces(wanted, lengthOf, (piece) => piece) };
  }

  claim(request: ClaimRequest): Claim {
    return this.#attempts.claim(request, this.#clock.now());
  }

  settle(attempt: Attempt, ending: AttemptEnding, next?: ClaimRequest): Settled {
    const held = this.#attempts.settle(attempt, ending, this.#clock.now());
    const settled = next === undefined ? { held } : { held, next: this.claim(next) };
    this.#notify();
    return settled;
  }

  release(attempt: Attempt): void {
    this.#attempts.release(attempt);
    this.#notify();
  }

  extendLocks(attempts: readonly Attempt[], duration: number): readonly Attempt[] {
    const now = this.#clock.now();
    return attempts.filter((attempt) => !this.#attempts.extend(attempt, duration, now));
  }

  recoverStalled(request: StalledCheckRequest): StalledCheckResult {
    const result = this.#stalledCheck.run(request, this.#clock.now());
    if (result.stalled.length > 0) this.#notify();
    return result;
  }

  /** When (epoch ms, Infinity for not as things are) such a claim may get a job. */
  nextChance(request: ClaimRequest): number {
    return this.#attempts.nextChance(request, this.#clock.now());
  }

  /**
   * Calls the listener after every step that may bring the next chance nearer.
   *
   * @returns a function that ends the subscription.
   */
  onChange(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  #notify(): void {
    for (const listener of this.#listeners) listener();
  }

  /** Those that are there still. */
  #show(records: readonly JobRecord[]): readonly Job[] {
    const kept = records.filter((record) => this.#jobs.find(record.id) === record);
    return kept.map((record) => this.#toJob(record));
  }

  #toJob(record: JobRecord): Job {
    return toJob(record, this.#qualifiedName);
  }
}

function lengthOf({ length }: string): number {
  return length;
}
