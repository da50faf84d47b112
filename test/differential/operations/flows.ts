import fc from 'fast-check';
import {
  FAILURE_RULES,
  flowJobShape,
  newFlow,
  type FlowInput,
} from '../../../src/domain/flows/flow.ts';
import type { JobOptionsInput } from '../../../src/domain/jobs/job-options.ts';
import { queueName } from '../../../src/domain/queues/queue-name.ts';
import { queue, replica } from '../choices.ts';
import { operation } from '../operation.ts';
import type { Stage } from '../stage.ts';
import { SOON } from '../time.ts';

const shape = flowJobShape(queueName({ min: 1, max: 100 }));

const options: fc.Arbitrary<JobOptionsInput> = fc.oneof(
  { weight: 4, arbitrary: fc.constant({}) },
  { weight: 1, arbitrary: fc.constant({ priority: 2 }) },
  { weight: 1, arbitrary: fc.constant({ delay: SOON }) },
  { weight: 1, arbitrary: fc.constant({ ttl: SOON }) },
  { weight: 1, arbitrary: fc.constant({ removeOnComplete: true, removeOnFail: true }) },
  { weight: 1, arbitrary: fc.constant({ jobId: 'of-flow' }) },
);

interface Child {
  readonly queue: number;
  readonly rule: (typeof FAILURE_RULES)[number];
  readonly opts: JobOptionsInput;
  readonly grandchildren: number;
}

const child: fc.Arbitrary<Child> = fc.record({
  queue,
  rule: fc.constantFrom(...FAILURE_RULES),
  opts: options,
  grandchildren: fc.constantFrom(0, 0, 0, 1, 2),
});

export const flows = {
  addFlow: operation(
    4,
    fc.record({
      queue,
      replica,
      opts: options,
      children: fc.array(child, { maxLength: 3 }),
      maxWaiting: fc.constantFrom(undefined, undefined, undefined, 2),
    }),
    async (stage, choice) => {
      const input: FlowInput = {
        queue: stage.queue(choice.queue),
        name: 'above',
        data: null,
        opts: choice.opts,
        children: choice.children.map((each) => childInput(stage, each)),
      };
      const jobs = newFlow(input, shape, () => undefined, stage.draw('flow'));
      const outcome = await stage.replica(choice.replica).flows.add(jobs, () => choice.maxWaiting);
      if (outcome.kind === 'added') for (const job of jobs) stage.know(job);
      return outcome;
    },
  ),
};

function childInput(stage: Stage, { queue: number, rule, opts, grandchildren }: Child): FlowInput {
  const name = stage.queue(number);
  return {
    queue: name,
    name: 'below',
    data: null,
    opts,
    onChildFailure: rule,
    children: Array.from({ length: grandchildren }, (_, index) => ({
      queue: name,
      name: `deep-${index}`,
      data: index,
    })),
  };
}
