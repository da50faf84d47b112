import { invalidRequest, requestTooLarge } from '../errors.ts';
import { jobInputFields, newJob } from '../jobs/job.ts';
import { jobOptionFields } from '../jobs/job-options.ts';
import { mistakeInSize } from '../policies/job-size.ts';
import type { Policy } from '../policies/policy.ts';
import { namePatterns } from '../queues/name-pattern.ts';
import type { QueueName } from '../queues/queue-name.ts';
import { reportedCost, reportedCostShape } from '../queues/start-cost.ts';
import { checkExactShape } from '../values/check-shape.ts';
import { isObject, MAX_NESTING, nestsDeeper, type Json } from '../values/json.ts';
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
import { MOST_STEPS, stepNameShape, TOO_MANY_STEPS, type NewStep } from './step.ts';
import type { AddedByStep, SuspensionRequest } from './suspension-request.ts';

/** The status of answers that save steps or suspend their job (further contract, section 22). */
export const SUSPENDS = 206;

/** The mistake in an answer that neither saves nor awaits a new step. */
export const NO_NEW_STEP = '206 names no new step';

/** Why no answer to a call for several jobs suspends them. */
export const NO_BATCHES = 'Batches cannot be suspended';

/** The longest sleep and timeout in ms: a year. */
const LONGEST_WAIT = 31_536_000_000;

/** How many jobs one answer adds at most. */
const MOST_ADDED = 1000;

/** Most bytes of the body of a signal. */
export const MAX_SIGNAL_BYTES = 65_536;

export const signalKeyShape = text(
  'be 1 to 200 characters from ! to ~',
  (key) => /^[!-~]{1,200}$/.test(key),
  { pattern: '^[!-~]{1,200}$', maxLength: 200, examples: ['paid:17'] },
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
    cost: optional(
      reportedCostShape,
      'The amount that the start of the attempt counts in limiters',
    ),
    add: optional(
      stepsOf(bounded(MOST_ADDED, listOf(added))),
      'Jobs to add and wait for, by the names of steps',
    ),
  });
}

export type SuspendAnswerShape = ReturnType<typeof suspendAnswerShape>;

type SuspendAnswer = Shaped<SuspendAnswerShape>;

type AnsweredJob = NonNullable<SuspendAnswer['add']>[string][number];

/**
 * What an answer asks for.
 *
 * @param body the answer, parsed.
 * @param id prefix of the ids of the jobs that it adds.
 * @param policyOf the policy of a queue.
 * @throws DomainError `invalid-request` with the sentence that says what is wrong, or `request-too-large`.
 */
export function suspensionOf(
  body: unknown,
  shape: SuspendAnswerShape,
  id: string,
  queue: QueueName,
  policyOf: (queue: QueueName) => Policy | undefined,
): SuspensionRequest {
  if (!isObject(body)) throw invalidRequest('206 needs a JSON object of steps to save or to await');
  if (nestsDeeper(body as Json, MAX_NESTING)) {
    throw invalidRequest(`206 is nested deeper than ${MAX_NESTING} levels`);
  }
  for (const part of Object.values(body)) {
    if (isObject(part) && Object.keys(part).length > MOST_STEPS)
      throw requestTooLarge(TOO_MANY_STEPS);
  }
  checkExactShape(shape, body, '');
  const [first = '', second] = ['sleep', 'waitFor', 'add'].filter((name) => name in body);
  if (second !== undefined)
    throw invalidRequest(`${second} must not be given with ${first}`, second);
  const { steps = {}, sleep = {}, waitFor = {}, add = {}, cost } = body as SuspendAnswer;
  const queues = Object.values(add).flatMap((jobs) => jobs.map((job) => job.queue));
  if (queues.length > MOST_ADDED)
    throw invalidRequest(`add must have at most ${MOST_ADDED} jobs`, 'add');
  const maxWaiting = new Map<QueueName, number>();
  for (const each of new Set(queues)) {
    const most = policyOf(each)?.maxWaiting;
    if (most !== undefined) maxWaiting.set(each, most);
  }
  const checkAllowed = (to: string, field: string): void => {
    if (to === queue || namePatterns(policyOf(queue)?.steps?.queues ?? [])(to)) return;
    throw invalidRequest(`${field} ${to} is not allowed by the policy of ${queue}`, field);
  };
  const added = ({ queue: to, ...job }: AnsweredJob, path: string): AddedByStep => {
    checkAllowed(to, `${path}.queue`);
    const callback = job.opts?.callback;
    if (callback !== undefined && 'queue' in callback) {
      checkAllowed(callback.queue, `${path}.opts.callback.queue`);
    }
    const mistake = mistakeInSize(job.data, policyOf(to)?.maxJobSize);
    if (mistake !== undefined) throw invalidRequest(`${path}.data ${mistake}`, `${path}.data`);
    return { queue: to, job: newJob(job, path, policyOf(to)?.defaults) };
  };
  return {
    id,
    steps: Object.entries(steps).map(([name, value]) => newStep(name, value)),
    sleeps: Object.entries(sleep).map(([name, duration]) => ({ name, duration })),
    signals: Object.entries(waitFor).map(([name, { signal: key, timeout }]) => ({
      name,
      key,
      timeout,
    })),
    added: Object.entries(add).map(([name, jobs]) => ({
      name,
      jobs: jobs.map((job, index) => added(job, `add.${name}[${index}]`)),
    })),
    maxWaiting,
    cost: reportedCost(cost),
  };
}

function newStep(name: string, value: Json): NewStep {
  const field = `steps.${name}`;
  if (value === Infinity || value === -Infinity) {
    throw invalidRequest(`${field} is a number too large to be kept`, field);
  }
  return { name, value: JSON.stringify(value) };
}
