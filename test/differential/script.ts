import fc from 'fast-check';
import type { Operation } from './operation.ts';
import { adding } from './operations/adding.ts';
import { claiming } from './operations/claiming.ts';
import { endings } from './operations/ending.ts';
import { flows } from './operations/flows.ts';
import { groups } from './operations/groups.ts';
import { holding } from './operations/holding.ts';
import { jobs } from './operations/jobs.ts';
import { passing } from './operations/passing.ts';
import { queues } from './operations/queues.ts';
import { schedulers } from './operations/schedulers.ts';
import { SCENES } from './scenes.ts';
import type { Stage } from './stage.ts';

const OPERATIONS = {
  ...adding,
  ...claiming,
  ...endings,
  ...holding,
  ...passing,
  ...jobs,
  ...queues,
  ...flows,
  ...groups,
  ...schedulers,
} satisfies Readonly<Record<string, Operation>>;

/** One step of a script: an operation, and its choices. */
export interface Step {
  readonly do: keyof typeof OPERATIONS;
  readonly with: object;
}

export type Script = readonly Step[];

const steps = Object.entries<Operation>(OPERATIONS).map(([name, { weight, choices }]) => ({
  weight,
  arbitrary: fc.record({ do: fc.constant(name as Step['do']), with: choices }),
}));

const tail: fc.Arbitrary<Script> = fc.array(fc.oneof(...steps), {
  minLength: 1,
  maxLength: 60,
  size: 'max',
});

/** Half of the scripts begin with a scene. A failing script is shortened to one without, if it fails so too. */
export const script: fc.Arbitrary<Script> = fc
  .tuple(fc.option(fc.constantFrom(...Object.values(SCENES)), { nil: [], freq: 2 }), tail)
  .map(([scene, rest]) => [...scene, ...rest]);

/** @returns the answer, or the message of the error that the step ended in. */
export function playStep(stage: Stage, step: Step): Promise<unknown> {
  const { play } = OPERATIONS[step.do];
  return play(stage, step.with).catch((error: unknown) => ({ error: String(error) }));
}
