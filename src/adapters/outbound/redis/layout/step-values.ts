import type { SavedStep } from '../../../../application/ports/step-port.ts';
import type { StepKind } from '../../../../domain/steps/step.ts';
import { STEP_OF_JOBS, STEP_OF_SIGNAL, STEP_OF_SLEEP, STEP_OF_VALUE } from './step-keys.ts';

const KINDS: Readonly<Record<string, StepKind>> = {
  [STEP_OF_VALUE]: 'value',
  [STEP_OF_SLEEP]: 'sleep',
  [STEP_OF_SIGNAL]: 'signal',
  [STEP_OF_JOBS]: 'jobs',
};

/** The steps of a job in the order in which they were saved. @param values by their names. */
export function readSteps(
  values: Iterable<readonly [name: string, text: string]>,
): readonly Omit<SavedStep, 'size'>[] {
  const steps = [...values].flatMap(([name, text]) => {
    // The value is long, and is left as it is.
    const letter = text.indexOf(':') + 1;
    const value = text.indexOf(':', letter + 2) + 1;
    const kind = KINDS[text.charAt(letter)];
    if (kind === undefined) return [];
    const at = Number(text.slice(letter + 2, value - 1));
    const step = { name, kind, at, value: text.slice(value) };
    return [{ number: Number(text.slice(0, letter - 1)), step }];
  });
  return steps.sort((one, other) => one.number - other.number).map(({ step }) => step);
}
