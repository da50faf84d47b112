import { invalidRequest } from '../errors.ts';
import { jobInputFields, newJob, type NewJob } from '../jobs/job.ts';
import { jobOptionFields } from '../jobs/job-options.ts';
import type { PolicyDefaults } from '../policies/policy.ts';
import type { QueueName } from '../queues/queue-name.ts';
import { checkShape } from '../values/check-shape.ts';
import { isObject, type Json } from '../values/json.ts';
import {
  anyJson,
  bounded,
  integer,
  listOf,
  mapOf,
  object,
  optional,
  required,
  text,
  type Shape,
  type Shaped,
} from '../values/shape.ts';
import { without } from '../values/without.ts';
import { unknownField } from '../values/unknown-field.ts';
import { MOST_STEPS, stepNameShape, type NewStep } from './step.ts';

/** The status of answers that save steps or suspend their job (further contract, section 22). */
export const SUSPENDS = 206;

/** What is wrong with an answer that does nothing. */
export const NO_NEW_STEP = '206 names no new step';

/** Why no answer to a call for several jobs suspends them. */
export const NO_BATCHES = 'Batches cannot be suspended';

/** The longest sleep and timeout in ms: a year. */
const LONGEST_WAIT = 31_536_000_000;

/** How many jobs one answer adds at most. */
const MOST_ADDED = 1000;

/** Most bytes of the body of a signal. */
export const MAX_SIGNAL_BYTES = 65_536;

/** The most characters of the key of a signal. */
export const LONGEST_KEY = 200;

export const signalKeyShape = text(
  'be 1 to 200 characters from ! to ~',
  (key) => /^[!-~]{1,200}$/.test(key),
  { pattern: '^[!-~]{1,200}$', examples: ['paid:17'] },
);

export const stepValueShape: Shape<Json> = {
  ...anyJson,
  must: 'be any JSON value but null',
  schema: { not: { type: 'null' } },
  accepts: (value): value is Json => value !== undefined && value !== null,
};

const waitShape = object('SignalWait', {
  signal: required(signalKeyShape, 'The key of the signal'),
  timeout: optional(
    integer(1, LONGEST_WAIT),
    'Milliseconds after which the wait is over without it',
  ),
});

function stepsOf<T>(value: Shape<T>): Shape<Readonly<Record<string, T>>> {
  return bounded(MOST_STEPS, mapOf(stepNameShape, value, 'be an object of names of steps'));
}

/** The body of an answer that suspends its job. @param queueName the shape of names of queues. */
export function suspendAnswerShape(queueName: Shape<QueueName>) {
  const fields = without(jobInputFields, 'opts');
  const added = object('AddedByStep', {
    queue: required(queueName, 'The queue that it is added to'),
    ...fields,
    opts: optional(
      object('AddedByStepOptions', without(without(jobOptionFields, 'jobId'), 'deduplication')),
      'How the job is processed',
    ),
  });
  return object('Suspend', {
    steps: optional(stepsOf(stepValueShape), 'Values to save, by the names of their steps'),
    sleep: optional(
      stepsOf(integer(1, LONGEST_WAIT)),
      'Milliseconds to rest, by the names of steps',
    ),
    waitFor: optional(stepsOf(waitShape), 'Signals to wait for, by the names of steps'),
    add: optional(stepsOf(listOf(added)), 'Jobs to add and wait for, by the names of steps'),
  });
}

export type SuspendAnswerShape = ReturnType<typeof suspendAnswerShape>;

type SuspendAnswer = Shaped<SuspendAnswerShape>;

/** A job that a step adds. */
export interface AddedByStep {
  readonly queue: QueueName;
  readonly job: NewJob;
}

/** What an answer saves and awaits, by the names of its steps. Times are milliseconds. */
export interface Suspending {
  readonly steps: readonly NewStep[];
  readonly sleeps: readonly { readonly name: string; readonly duration: number }[];
  readonly signals: readonly {
    readonly name: string;
    readonly key: string;
    readonly timeout?: number;
  }[];
  readonly added: readonly { readonly name: string; readonly jobs: readonly AddedByStep[] }[];
}

/**
 * What an answer asks for.
 *
 * @param body the answer, parsed.
 * @param mayAdd whether the policy of the job's queue lets its steps add jobs to another.
 * @param defaultsOf options for jobs of a queue that do not set them.
 * @throws DomainError `invalid-request` with the sentence that says what is wrong.
 */
export function suspendingOf(
  body: unknown,
  shape: SuspendAnswerShape,
  mayAdd: (queue: QueueName) => boolean,
  defaultsOf: (queue: QueueName) => PolicyDefaults | undefined,
  ofQueue: QueueName,
): Suspending {
  if (!isObject(body)) throw invalidRequest('206 needs a JSON object of steps to save or to await');
  checkShape(shape, body, '');
  const unknown = unknownField(shape, body, '');
  if (unknown !== undefined) throw invalidRequest(`${unknown} is unknown`, unknown);
  const { steps = {}, sleep, waitFor, add } = body as SuspendAnswer;
  const [first, second] = Object.entries({ sleep, waitFor, add }).flatMap(([name, value]) =>
    value === undefined ? [] : [name],
  );
  if (second !== undefined) {
    throw invalidRequest(`${second} must not be given with ${first ?? ''}`, second);
  }
  return {
    steps: Object.entries(steps).map(([name, value]) => ({ name, value: JSON.stringify(value) })),
    sleeps: Object.entries(sleep ?? {}).map(([name, duration]) => ({ name, duration })),
    signals: Object.entries(waitFor ?? {}).map(([name, { signal, timeout }]) => ({
      name,
      key: signal,
      ...(timeout !== undefined && { timeout }),
    })),
    added: addedOf(add ?? {}, mayAdd, defaultsOf, ofQueue),
  };
}

function addedOf(
  add: NonNullable<SuspendAnswer['add']>,
  mayAdd: (queue: QueueName) => boolean,
  defaultsOf: (queue: QueueName) => PolicyDefaults | undefined,
  ofQueue: QueueName,
): Suspending['added'] {
  let count = 0;
  return Object.entries(add).map(([name, jobs]) => ({
    name,
    jobs: jobs.map(({ queue, ...input }, index) => {
      const path = `add.${name}[${index}]`;
      if (queue !== ofQueue && !mayAdd(queue)) {
        const field = `${path}.queue`;
        throw invalidRequest(`${field} ${queue} is not allowed by the policy of ${ofQueue}`, field);
      }
      if ((count += 1) > MOST_ADDED) {
        throw invalidRequest(`add must have at most ${MOST_ADDED} jobs`, 'add');
      }
      return { queue, job: newJob(input, path, defaultsOf(queue)) };
    }),
  }));
}
