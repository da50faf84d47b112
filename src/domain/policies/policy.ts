import { groupDefaultsShape } from '../groups/group-settings.ts';
import { callbackShape, checkCallback } from '../jobs/callback.ts';
import { invalidRequest } from '../errors.ts';
import { checkShape } from '../values/check-shape.ts';
import { optionsFlagged } from '../jobs/job-options.ts';
import { callbackPolicyShape, endpointPolicyShape } from './callback-policy.ts';
import { messagePolicyShape, REDRIVE_FIELD } from './message-policy.ts';
import { payloadPolicyShape } from './payload-policy.ts';
import { retentionPolicyShape } from './retention-policy.ts';
import { namePatternShape } from '../queues/name-pattern.ts';
import type { QueueName } from '../queues/queue-name.ts';
import { checkSpans, windowShape } from '../queues/window.ts';
import {
  bounded,
  integer,
  listOf,
  mapOf,
  object,
  optional,
  text,
  type Shape,
  type Shaped,
} from '../values/shape.ts';
import { hasLength } from '../values/text.ts';

const { removeOnComplete, removeOnFail, keepLogs, ...others } = optionsFlagged('inPolicies');

/** The field order is that of the documentation; of several errors, the message names the first. */
const defaultsShape = object('PolicyDefaults', {
  ...others,
  removeOnComplete,
  removeOnFail,
  keepLogs,
});

/** Options for jobs that do not set them when they are added. */
export type PolicyDefaults = Shaped<typeof defaultsShape>;

/** Patterns of queues to which steps may add. */
const MOST_STEP_PATTERNS = 100;

const MOST_LABELS = 50;
const MAX_LABEL_NAME = 128;
const MAX_LABEL_VALUE = 256;

const labelsShape = bounded(
  MOST_LABELS,
  mapOf(
    text(
      `be a name of 1 to ${MAX_LABEL_NAME} characters`,
      // Assigning `__proto__` would not add a property to an object.
      (name) => hasLength(name, 1, MAX_LABEL_NAME) && name.isWellFormed() && name !== '__proto__',
      { minLength: 1, maxLength: MAX_LABEL_NAME },
    ),
    text(
      `be a string of 0 to ${MAX_LABEL_VALUE} characters`,
      (value) => hasLength(value, 0, MAX_LABEL_VALUE) && value.isWellFormed(),
      { maxLength: MAX_LABEL_VALUE },
    ),
    'be an object of names to strings',
  ),
);

/** The rules for jobs added to one queue, or to all queues. */
export const policyShape = object('Policy', {
  defaults: optional(defaultsShape, 'Options of jobs that are added without them'),
  maxWaiting: optional(integer(0), 'Most waiting and prioritized jobs that an add may lead to'),
  maxJobSize: optional(integer(0), 'Most bytes of the data of a job, as JSON text in UTF-8'),
  callback: optional(callbackShape, 'The callback of jobs that are added without one'),
  callbacks: optional(callbackPolicyShape, 'Where callbacks of jobs may go, and what signs them'),
  endpoints: optional(
    endpointPolicyShape,
    'Where jobs may be called that name their own `endpoint`; a worker may then have none',
  ),
  groups: optional(
    groupDefaultsShape,
    'The terms of every group of jobs, in place of those of the worker',
  ),
  window: optional(windowShape, 'When jobs may start; at any time unless given'),
  retention: optional(
    retentionPolicyShape,
    'Which ended jobs may stay at most; as jobs and workers say unless given',
  ),
  payloads: optional(
    payloadPolicyShape,
    'How long the values of ended jobs stay; as long as the jobs unless given',
  ),
  maxStalledCount: optional(
    integer(0, 1000),
    'How often a job that a client claimed may stall before it fails, in a queue without a worker',
  ),
  labels: optional(labelsShape, 'Names and values that users of the queue give it'),
  steps: optional(
    object('StepPolicy', {
      queues: optional(
        bounded(MOST_STEP_PATTERNS, listOf(namePatternShape)),
        'Patterns of other queues to which steps of its jobs may add jobs; none unless given',
      ),
    }),
    'Where steps of its jobs may add jobs',
  ),
  messages: optional(
    messagePolicyShape,
    'The attributes of the queue for programs that speak Amazon SQS',
  ),
});

export type Policy = Shaped<typeof policyShape>;

/**
 * @param queueName the names that queues may have.
 * @throws DomainError `invalid-request` naming the field.
 */
export function checkPolicy(policy: Policy, queueName: Shape<QueueName>): void {
  checkShape(policyShape, policy, '');
  const { callback, defaults, callbacks, window, messages } = policy;
  if (window !== undefined) checkSpans(window, 'window');
  if (callback !== undefined) checkCallback(callback, 'callback');
  if (defaults?.callback !== undefined) checkCallback(defaults.callback, 'defaults.callback');
  for (const [path, target] of [
    ['callback', callback],
    ['defaults.callback', defaults?.callback],
    [REDRIVE_FIELD, messages?.redrive],
  ] as const) {
    if (target !== undefined && 'queue' in target) {
      checkShape(queueName, target.queue, `${path}.queue`);
    }
  }
  if (callbacks?.signed === false && callbacks.secret !== undefined) {
    throw invalidRequest('callbacks.signed must be true with a secret', 'callbacks.signed');
  }
}

/** The policy with its callback among the options that jobs have unless they set them. */
export function withCallback(policy: Policy): Policy {
  const { callback, defaults } = policy;
  if (callback === undefined || defaults?.callback !== undefined) return policy;
  return { ...policy, defaults: { ...defaults, callback } };
}

/** The policy of a queue, completed by the policy of all queues. */
export function joinedPolicy(own: Policy, ofAll: Policy | undefined): Policy {
  if (ofAll === undefined) return own;
  const labels = { ...ofAll.labels, ...own.labels };
  const retention = { ...ofAll.retention, ...own.retention };
  return {
    ...ofAll,
    ...own,
    defaults: { ...ofAll.defaults, ...own.defaults },
    ...(Object.keys(labels).length > 0 && { labels }),
    ...((ofAll.retention ?? own.retention) !== undefined && { retention }),
  };
}
