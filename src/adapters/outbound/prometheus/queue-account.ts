import { DurationHistogram } from './duration-histogram.ts';

/** The events of jobs that are counted, in the order of the page. */
export const JOB_EVENTS = [
  'added',
  'completed',
  'failed',
  'retried',
  'deferred',
  'stalled',
] as const;

export type JobEvent = (typeof JOB_EVENTS)[number];

export const CALL_OUTCOMES = ['completed', 'failed', 'deferred', 'cancelled'] as const;

export type CallOutcome = (typeof CALL_OUTCOMES)[number];

/** From a webhook on the same network to the longest calls and waits, in seconds. */
const BOUNDS = [0.01, 0.05, 0.1, 0.5, 1, 5, 10, 30, 60, 300, 600, 3600];

/** What this process has counted and measured of one queue, or of several together. */
export class QueueAccount {
  /** How much happened lately, which decides how active the queue ranks. */
  activity = 0;
  readonly #counts: Record<JobEvent, number> = {
    added: 0,
    completed: 0,
    failed: 0,
    retried: 0,
    deferred: 0,
    stalled: 0,
  };
  readonly #calls: Partial<Record<CallOutcome, DurationHistogram>> = {};
  #waits: DurationHistogram | undefined;
  #stepsSaved = 0;

  count(event: JobEvent, jobs = 1): void {
    this.#counts[event] += jobs;
    this.activity += jobs;
  }

  saveSteps(steps: number): void {
    this.#stepsSaved += steps;
  }

  get stepsSaved(): number {
    return this.#stepsSaved;
  }

  counted(event: JobEvent): number {
    return this.#counts[event];
  }

  observeCall(outcome: CallOutcome, seconds: number): void {
    (this.#calls[outcome] ??= new DurationHistogram(BOUNDS)).observe(seconds);
  }

  observeWait(seconds: number): void {
    (this.#waits ??= new DurationHistogram(BOUNDS)).observe(seconds);
  }

  /** Undefined before the first one. */
  calls(outcome: CallOutcome): DurationHistogram | undefined {
    return this.#calls[outcome];
  }

  /** Undefined before the first one. */
  get waits(): DurationHistogram | undefined {
    return this.#waits;
  }

  /** Adds what another account has counted and measured. */
  absorb(other: QueueAccount): void {
    for (const event of JOB_EVENTS) this.count(event, other.#counts[event]);
    this.saveSteps(other.#stepsSaved);
    for (const outcome of CALL_OUTCOMES) {
      const calls = other.#calls[outcome];
      if (calls !== undefined) {
        (this.#calls[outcome] ??= new DurationHistogram(BOUNDS)).absorb(calls);
      }
    }
    if (other.#waits !== undefined) {
      (this.#waits ??= new DurationHistogram(BOUNDS)).absorb(other.#waits);
    }
  }
}
