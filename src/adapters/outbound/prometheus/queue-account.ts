import { DurationHistogram } from './duration-histogram.ts';

/** The events of jobs that are counted, in the order of the page, and what is counted. */
const EVENTS = {
  added: 'Jobs that were added here, without those that existed',
  completed: 'Jobs that completed here',
  failed: 'Jobs that failed for good here',
  retried: 'Failed attempts here that another one follows',
  deferred: 'Attempts here that were put off without counting',
  stalled: 'Jobs found here that went back to their queue because their attempt was lost',
};

export type JobEvent = keyof typeof EVENTS;

export const JOB_EVENTS = Object.entries(EVENTS) as [event: JobEvent, help: string][];

export const CALL_OUTCOMES = ['completed', 'failed', 'deferred', 'cancelled'] as const;

export type CallOutcome = (typeof CALL_OUTCOMES)[number];

/** From a webhook on the same network to the longest calls and waits, in seconds. */
const BOUNDS = [0.01, 0.05, 0.1, 0.5, 1, 5, 10, 30, 60, 300, 600, 3600];

/** What this process has counted and measured of one queue, or of several together. */
export class QueueAccount {
  /** How much happened lately, which decides how active the queue ranks. */
  activity = 0;
  readonly #counts = Object.fromEntries(JOB_EVENTS.map(([event]) => [event, 0])) as Record<
    JobEvent,
    number
  >;
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
    for (const [event] of JOB_EVENTS) this.count(event, other.#counts[event]);
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
