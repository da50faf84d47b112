import { durationClass, type CallDurations } from '../calls/call-durations.ts';

/** What is counted of the jobs of a queue. */
export const COUNTED = ['added', 'completed', 'failed', 'retried', 'deferred', 'stalled'] as const;

export type Counted = (typeof COUNTED)[number];

/** The classes of answers to calls: `429` is not in `4xx`, and `none` is a call without an answer. */
export const ANSWER_CLASSES = ['1xx', '2xx', '3xx', '4xx', '5xx', '429', 'none'] as const;

export type AnswerClass = (typeof ANSWER_CLASSES)[number];

export type Counts = Readonly<Record<Counted, number>>;
export type Answers = Readonly<Record<AnswerClass, number>>;

/** What was counted of a queue, or of all together, in some time. */
export interface Figures {
  readonly counts: Counts;
  readonly answers: Answers;
  /** For how long jobs could have started before their first attempt did. */
  readonly waits: CallDurations;
  readonly calls: CallDurations;
}

/** Counts by a few additions each. */
export class FigureCounter {
  readonly #counts = noCounts();
  readonly #answers = noAnswers();
  readonly #waits: Record<string, number> = {};
  readonly #calls: Record<string, number> = {};

  count(counted: Counted, jobs = 1): void {
    this.#counts[counted] += jobs;
  }

  /** @param ms for how long the job could have started. */
  waited(ms: number): void {
    increase(this.#waits, durationClass(ms), 1);
  }

  /**
   * @param ms how long the call took.
   * @param status of its answer, undefined without one.
   */
  called(ms: number, status: number | undefined): void {
    increase(this.#calls, durationClass(ms), 1);
    this.#answers[answerClass(status)] += 1;
  }

  add({ counts, answers, waits, calls }: Figures): void {
    for (const name of COUNTED) this.#counts[name] += counts[name];
    for (const name of ANSWER_CLASSES) this.#answers[name] += answers[name];
    for (const number in waits) increase(this.#waits, number, waits[number] ?? 0);
    for (const number in calls) increase(this.#calls, number, calls[number] ?? 0);
  }

  /** What was counted so far. It changes with what is counted later. */
  get figures(): Figures {
    return {
      counts: this.#counts,
      answers: this.#answers,
      waits: this.#waits,
      calls: this.#calls,
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
