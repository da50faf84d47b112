import { durationClass, type CallDurations } from '../calls/call-durations.ts';

/** The counted events of the jobs of a queue. */
export const COUNTED = ['added', 'completed', 'failed', 'retried', 'deferred', 'stalled'] as const;

export type Counted = (typeof COUNTED)[number];

/** The classes of answers: `429` is not part of `4xx`, and `none` is a call without an answer. */
export const ANSWER_CLASSES = ['1xx', '2xx', '3xx', '4xx', '5xx', '429', 'none'] as const;

export type AnswerClass = (typeof ANSWER_CLASSES)[number];

export type Counts = Readonly<Record<Counted, number>>;
export type Answers = Readonly<Record<AnswerClass, number>>;

/** The figures of a queue, or of all queues together, over some time. */
export interface Figures {
  readonly counts: Counts;
  readonly answers: Answers;
  /** How long jobs were ready to start before their first attempt. */
  readonly waits: CallDurations;
  readonly calls: CallDurations;
  /** What the starts of attempts counted in limiters; records of earlier versions have none. */
  readonly cost?: number;
}

/** Counts, at the cost of a few additions each. */
export class FigureCounter {
  readonly #counts = noCounts();
  readonly #answers = noAnswers();
  readonly #waits: Record<string, number> = {};
  readonly #calls: Record<string, number> = {};
  #cost = 0;

  count(counted: Counted, jobs = 1): void {
    this.#counts[counted] += jobs;
  }

  /** Adds to what starts counted in limiters; less than before where that is negative. */
  cost(more: number): void {
    this.#cost += more;
  }

  /** @param ms how long the job was ready to start. */
  waited(ms: number): void {
    increase(this.#waits, durationClass(ms), 1);
  }

  /**
   * @param ms how long the call took.
   * @param status the status of its answer, undefined without one.
   */
  called(ms: number, status: number | undefined): void {
    increase(this.#calls, durationClass(ms), 1);
    this.#answers[answerClass(status)] += 1;
  }

  add({ counts, answers, waits, calls, cost = 0 }: Figures): void {
    this.#cost += cost;
    for (const name of COUNTED) this.#counts[name] += counts[name];
    for (const name of ANSWER_CLASSES) this.#answers[name] += answers[name];
    for (const number in waits) increase(this.#waits, number, waits[number] ?? 0);
    for (const number in calls) increase(this.#calls, number, calls[number] ?? 0);
  }

  /** The figures so far. The object changes with later counts. */
  get figures(): Figures {
    return {
      counts: this.#counts,
      answers: this.#answers,
      waits: this.#waits,
      calls: this.#calls,
      cost: this.#cost,
    };
  }
}

function answerClass(status: number | undefined): AnswerClass {
  if (status === undefined) return 'none';
  if (status === 429) return '429';
  const found = ANSWER_CLASSES.find((name) => name === `${Math.floor(status / 100)}xx`);
  return found ?? 'none';
}

function increase(durations: Record<string, number>, number: number | string, by: number): void {
  durations[number] = (durations[number] ?? 0) + by;
}

function noCounts(): Record<Counted, number> {
  return { added: 0, completed: 0, failed: 0, retried: 0, deferred: 0, stalled: 0 };
}

function noAnswers(): Record<AnswerClass, number> {
  return { '1xx': 0, '2xx': 0, '3xx': 0, '4xx': 0, '5xx': 0, '429': 0, none: 0 };
}
