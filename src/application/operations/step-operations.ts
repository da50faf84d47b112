import type { Caller } from '../../domain/access/caller.ts';
import type { QueueName } from '../../domain/queues/queue-name.ts';
import { MOST_STEP_BYTES, STEP_KINDS, stepNameShape } from '../../domain/steps/step.ts';
import { stepValueShape, suspendAnswerShape } from '../../domain/steps/suspend-answer.ts';
import { requestTooLarge } from '../../domain/errors.ts';
import type { Json } from '../../domain/values/json.ts';
import {
  anyJson,
  integer,
  listOf,
  object,
  oneOf,
  optional,
  required,
  time,
  type Shape,
} from '../../domain/values/shape.ts';
import type { SavedStep } from '../ports/step-port.ts';
import type { JobSteps } from '../steps/job-steps.ts';
import { byHolder, onJob } from './in-queue.ts';
import { given, order, place } from './input.ts';
import { operation } from './operation.ts';
import { answers, done } from './out.ts';

/** Bytes of the value of a step, or of all that a suspension saves, with some room for names and white space. */
const MOST_SUSPENSION = 16 * 1024 * 1024;

const stepAnswer = object('Step', {
  name: required(stepNameShape, 'The name that the endpoint gave it'),
  kind: required(
    oneOf(...STEP_KINDS),
    'Where its value comes from: the endpoint, the end of a sleep, a signal, or added jobs',
  ),
  at: required(time, 'When it was saved, in milliseconds since 1970'),
  size: required(integer(0), 'The bytes of its value as JSON'),
  value: optional(anyJson, 'Its value'),
});

export const stepsAnswer = object('JobSteps', {
  steps: required(listOf(stepAnswer), 'The saved steps by time'),
});

const removing = {
  access: 'operate',
  action: 'step.remove',
  description: 'A job that is active is 409. One that is suspended stays so.',
} as const;

/** The saved steps of jobs. */
export function stepOperations(steps: JobSteps, queueName: Shape<QueueName>) {
  const { schema } = suspendAnswerShape(queueName);
  return {
    listSteps: operation({
      access: 'read',
      orHolder: true,
      summary: 'Read the saved steps of a job',
      description:
        'For the holder of the job too, by the token of its attempt. Values need the right `data`.',
      in: { ...onJob, token: given<string | undefined>() },
      out: answers(stepsAnswer, 'The steps by time'),
      errors: ['job-not-found'],
      perform: ({ queue, jobId, token }) => steps.list(queue, jobId, token),
      view: (saved: readonly SavedStep[], caller) => ({
        steps: saved.map((step) => shownStep(step, caller)),
      }),
    }),
    saveStep: operation({
      access: 'job-token',
      summary: 'Save a step of a job while it is called for',
      description:
        'Any JSON value but null, under a name. The first value of a name stays: 200 answers the ' +
        'value that was there. A saved step comes with every later call of the job.',
      in: {
        ...byHolder,
        step: place(),
        order: order(stepValueShape, 'any JSON value but null', {
          most: MOST_STEP_BYTES + 1024,
          tooLarge: () => requestTooLarge(`A step must be of at most ${MOST_STEP_BYTES} bytes`),
        }),
      },
      out: done('The step is saved'),
      errors: ['request-too-large'],
      perform: ({ queue, jobId, token, step, order }) =>
        steps.save(queue, { jobId, token }, step, order),
    }),
    suspendJob: operation({
      access: 'job-token',
      summary: 'Save steps of a job that you hold, and let it rest until others are over',
      description:
        'The body is that of an answer 206: values in `steps`, and one of `sleep`, `waitFor` and ' +
        '`add`. The job goes on when all that it awaits is over.',
      in: {
        ...byHolder,
        // The use case refuses a wrong one, in the sentences of an answer 206.
        order: order({ ...anyJson, schema }, 'steps as a JSON object', { most: MOST_SUSPENSION }),
      },
      out: done('The job is suspended'),
      errors: ['request-too-large'],
      perform: ({ queue, jobId, token, order }, { cost }) =>
        steps.suspend(queue, { jobId, token }, order, cost),
    }),
    removeStep: operation({
      ...removing,
      summary: 'Remove a saved step of a job, which its endpoint does anew',
      in: { ...onJob, step: place() },
      out: done('The step is removed'),
      errors: ['job-not-found', 'step-not-found', 'job-conflict'],
      perform: ({ queue, jobId, step }) => steps.remove(queue, jobId, step),
      report: { line: 'Step removed by a client' },
    }),
    removeSteps: operation({
      ...removing,
      summary: 'Remove all saved steps of a job',
      in: onJob,
      out: done('The steps are removed'),
      errors: ['job-not-found', 'job-conflict'],
      perform: ({ queue, jobId }) => steps.remove(queue, jobId),
      report: { line: 'Steps removed by a client' },
    }),
  };
}

function shownStep({ value, ...step }: SavedStep, caller: Caller): object {
  return caller.may('data') ? { ...step, value: JSON.parse(value) as Json } : step;
}
