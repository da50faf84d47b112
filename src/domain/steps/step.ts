import { text } from '../values/shape.ts';

/** How many steps a job has at most (further contract, section 22, "Bounds"). */
export const MOST_STEPS = 1000;

export const TOO_MANY_STEPS = `More than ${MOST_STEPS} steps`;

/** Most bytes of the value of one step, as JSON in UTF-8. */
export const MOST_STEP_BYTES = 256 * 1024;

/** Most bytes of all values of the steps of a job. */
export const MOST_STEPS_BYTES = 1024 * 1024;

/** Where the value of a step comes from: the endpoint, the end of a sleep, a signal, or jobs that it added. */
export const STEP_KINDS = ['value', 'sleep', 'signal', 'jobs'] as const;

export type StepKind = (typeof STEP_KINDS)[number];

/** A saved step without its value. */
export interface Step {
  /** Counts the values that its job ever had, from 1. */
  readonly number: number;
  readonly name: string;
  readonly kind: StepKind;
  /** Epoch ms. */
  readonly at: number;
  /** The bytes of its value, as JSON in UTF-8. */
  readonly size: number;
  /** Which start of the job saved it, from 1; absent for what came while no attempt held the job. */
  readonly start?: number;
}

/** A step that is saved for the first time. */
export interface NewStep {
  readonly name: string;
  /** As JSON. */
  readonly value: string;
}

export const stepNameShape = text(
  'be 1 to 100 characters of A-Za-z0-9._:-',
  (name) => /^[A-Za-z0-9._:-]{1,100}$/.test(name),
  { pattern: '^[A-Za-z0-9._:-]{1,100}$', maxLength: 100, examples: ['charge'] },
);

/** The names of the steps that an attempt saved. @param start which start of the job that was. */
export function savedAt(start: number, steps: readonly Step[]): readonly string[] {
  return steps.flatMap((step) => (step.start === start ? [step.name] : []));
}

/** Which bound the steps of a job exceed, in words; undefined for none. */
export function excessOf(steps: readonly Pick<Step, 'name' | 'size'>[]): string | undefined {
  if (steps.length > MOST_STEPS) return TOO_MANY_STEPS;
  const large = steps.find(({ size }) => size > MOST_STEP_BYTES);
  if (large !== undefined) return `Step ${large.name} exceeds ${MOST_STEP_BYTES / 1024} kB`;
  const bytes = steps.reduce((sum, { size }) => sum + size, 0);
  return bytes > MOST_STEPS_BYTES ? `Steps exceed ${MOST_STEPS_BYTES / 1_048_576} MB` : undefined;
}
