import type fc from 'fast-check';
import type { Stage } from './stage.ts';

/** A kind of step. */
export interface Operation {
  /** How often it comes up in a script, relative to the others. */
  readonly weight: number;
  /** What a script contains of one step, to be printed and replayed. */
  readonly choices: fc.Arbitrary<object>;
  /** Makes one step on a stage. @returns the answer, to be compared. */
  readonly play: (stage: Stage, choice: object) => Promise<unknown>;
}

/** A step that comes to nothing, because what it needs has not come up yet. */
export const NOTHING = Promise.resolve(undefined);

export function operation<Choice extends object>(
  weight: number,
  choices: fc.Arbitrary<Choice>,
  play: (stage: Stage, choice: Choice) => Promise<unknown>,
): Operation {
  return { weight, choices, play: (stage, choice) => play(stage, choice as Choice) };
}
