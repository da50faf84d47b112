import { durationClass, type CallDurations } from './call-durations.ts';
import {
  integer,
  mapOf,
  object,
  optional,
  required,
  string,
  text,
  type Shaped,
} from '../values/shape.ts';

const count = integer(0);
const at = required(count, 'When, in milliseconds since 1970');

const durations = mapOf(
  text('be the number of a class', (name) => /^\d{1,3}$/.test(name)),
  count,
  'be an object of classes and how many calls each has',
);

/** The figures of the calls of a queue over some time. Records store them in this form. */
export const callFiguresShape = object('CallFigures', {
  calls: required(count, 'How many there were'),
  failures: required(count, 'How many of them failed'),
  durations: required(durations, 'How long they took'),
  lastAnswer: optional(
    object('LastAnswer', { at, status: required(integer(100), 'Its status') }),
    'The last of the answers',
  ),
  lastFailure: optional(
    object('LastFailure', { at, reason: required(string, 'Why the call failed') }),
    'The last of the failures',
  ),
});

export type CallFigures = Shaped<typeof callFiguresShape>;

export const NO_CALLS: CallFigures = { calls: 0, failures: 0, durations: {} };

/** A call that has ended. */
export interface CountedCall {
  /** When it ended (epoch ms). */
  readonly at: number;
  /** How long it took, in milliseconds. */
  readonly duration: number;
  /** The status of the answer, absent when there was none. */
  readonly status?: number | undefined;
  /** Why it failed; absent when it did not. */
  readonly failure?: string | undefined;
}

/** Counts calls, at the cost of a few additions each. */
export class CallCounter {
  #calls = 0;
  #failures = 0;
  readonly #durations = new Map<number, number>();
  #lastAnswer: CallFigures['lastAnswer'];
  #lastFailure: CallFigures['lastFailure'];

  count({ at, duration, status, failure }: CountedCall): void {
    const number = durationClass(duration);
    this.#calls += 1;
    this.#durations.set(number, (this.#durations.get(number) ?? 0) + 1);
    if (status !== undefined) this.#lastAnswer = { at, status };
    if (failure === undefined) return;
    this.#failures += 1;
    this.#lastFailure = { at, reason: failure };
  }

  forgetReason(): void {
    this.#lastFailure = undefined;
  }

  get figures(): CallFigures {
    return {
      calls: this.#calls,
      failures: this.#failures,
      durations: Object.fromEntries(this.#durations),
      ...(this.#lastAnswer && { lastAnswer: this.#lastAnswer }),
      ...(this.#lastFailure && { lastFailure: this.#lastFailure }),
    };
  }
}

/** The sum of several counters. */
export function joinedFigures(all: readonly CallFigures[]): CallFigures {
  return all.reduce(joinedPair, NO_CALLS);
}

function joinedPair(one: CallFigures, other: CallFigures): CallFigures {
  const lastAnswer = later(one.lastAnswer, other.lastAnswer);
  const lastFailure = later(one.lastFailure, other.lastFailure);
  return {
    calls: one.calls + other.calls,
    failures: one.failures + other.failures,
    durations: joinedDurations(one.durations, other.durations),
    ...(lastAnswer && { lastAnswer }),
    ...(lastFailure && { lastFailure }),
  };
}

function joinedDurations(one: CallDurations, other: CallDurations): CallDurations {
  const joined: Record<string, number> = { ...one };
  for (const [number, calls] of Object.entries(other)) {
    joined[number] = (joined[number] ?? 0) + calls;
  }
  return joined;
}

function later<Event extends { readonly at: number }>(
  one: Event | undefined,
  other: Event | undefined,
): Event | undefined {
  if (one === undefined || other === undefined) return one ?? other;
  return other.at >= one.at ? other : one;
}
