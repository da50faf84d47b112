import type { SavedStep } from '../../../../application/ports/step-port.ts';
import type { StepKind } from '../../../../domain/steps/step.ts';
import { sizeInBytes } from '../../../../domain/values/text.ts';
import { STEP_OF_JOBS, STEP_OF_SIGNAL, STEP_OF_SLEEP, STEP_OF_VALUE } from './step-keys.ts';

const KINDS: Readonly<Record<string, StepKind>> = {
  [STEP_OF_VALUE]: 'value',
  [STEP_OF_SLEEP]: 'sleep',
  [STEP_OF_SIGNAL]: 'signal',
  [STEP_OF_JOBS]: 'jobs',
};

/** A step as STEP_VALUES has it. */
const SAVED = /^(\d+):([a-z]):(\d+):([\s\S]*)$/;

/** The steps of a job in the order in which they were saved. @param values by their names. */
export function readSteps(values: Readonly<Record<string, string>>): readonly SavedStep[] {
  const steps = Object.entries(values).flatMap(([name, text]) => {
    const [, number, letter = '', at, value = ''] = SAVED.exec(text) ?? [];
    const kind = KINDS[letter];
    if (kind === undefined) return [];
    const step = { name, kind, at: Number(at), size: sizeInBytes(value), value };
    return [{ number: Number(number), step }];
  });
  return steps.sort((one, other) => one.number - other.number).map(({ step }) => step);
}
