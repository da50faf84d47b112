/* eslint-disable @typescript-eslint/no-unnecessary-type-parameters -- the row of a script declares the type of its answer */
import type { AnswerCheck } from '../lua/script.ts';

/** For callers that need none, or tell many apart. */
export function any(answer: unknown): unknown {
  return answer;
}

/** Whether it answers 1. */
export function isOne(answer: unknown): boolean {
  return answer === 1;
}

export function integer(answer: unknown, script: string): number {
  return checked(typeof answer === 'number', answer, script);
}

/** A text, of a few or any. */
export function word<Answer extends string>(answer: unknown, script: string): Answer {
  return checked(typeof answer === 'string', answer, script);
}

/** A list of some length; its elements are not looked at. */
export function tuple<Answer extends readonly unknown[]>(answer: unknown, script: string): Answer {
  return checked(Array.isArray(answer), answer, script);
}

/** A list of any length. */
export function list<Item>(answer: unknown, script: string): readonly Item[] {
  return checked(Array.isArray(answer), answer, script);
}

/** Undefined where it answers nothing. */
export function maybe<Answer>(check: AnswerCheck<Answer>): AnswerCheck<Answer | undefined> {
  return (answer, script) => (answer === null ? undefined : check(answer, script));
}

function checked<Answer>(isExpected: boolean, answer: unknown, script: string): Answer {
  if (!isExpected) throw new Error(`The script ${script} answered otherwise than declared`);
  return answer as Answer;
}
