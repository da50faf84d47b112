import type { SavedStep } from '../../../../application/ports/step-port.ts';
import type { StepKind } from '../../../../domain/steps/step.ts';
import { STEP_OF_JOBS, STEP_OF_SIGNAL, STEP_OF_SLEEP, STEP_OF_VALUE } from './step-keys.ts';

const KINDS: Readonly<Record<string, StepKind>> = {
  [STEP_OF_VALUE]: 'value',
  [STEP_OF_SLEEP]: 'sleep',
  [STEP_OF_SIGNAL]: 'signal',
  [STEP_OF_JOBS]: 'jobs',
};

/** The most characters before the value of a step, as STEP_VALUES has it. */
const LONGEST_HEAD = 40;

/** The steps of a job in the order in which they were saved. @param values by their names. */
export function readSteps(
  values: Iterable<readonly [name: string, text: string]>,
): readonly Omit<SavedStep, 'size'>[] {
  const steps = [...values].flatMap(([name, text]) => {
    // The value is long, and is left as it is.
    const [number, letter = '', at = ''] = text.slice(0, LONGEST_HEAD).split(':', 3);
    const kind = KINDS[letter];
    if (kind === undefined) return [];
    const value = text.slice(`${number}:${letter}:${at}:`.length);
    const step = { name, kind, at: Number(at), value };
    return [{ number: Number(number), step }];
  });
  return steps.sort((one, other) => one.number - other.number).map(({ step }) => step);
}
