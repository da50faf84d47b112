import { groupDefaultsShape } from '../groups/group-settings.ts';
import { callbackShape, checkCallback } from '../jobs/callback.ts';
import { invalidRequest } from '../errors.ts';
import { checkShape } from '../values/check-shape.ts';
import { optionsFlagged } from '../jobs/job-options.ts';
import { callbackPolicyShape } from './callback-policy.ts';
import { integer, object, optional, type Shaped } from '../values/shape.ts';

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

/** The rules for jobs added to one queue, or to all queues. */
export const policyShape = object('Policy', {
  defaults: optional(defaultsShape, 'Options of jobs that are added without them'),
  maxWaiting: optional(integer(0), 'Most waiting and prioritized jobs that an add may lead to'),
  maxJobSize: optional(integer(0), 'Most bytes of the data of a job, as JSON text in UTF-8'),
  callback: optional(callbackShape, 'The callback of jobs that are added without one'),
  callbacks: optional(callbackPolicyShape, 'Where callbacks of jobs may go, and what signs them'),
  groups: optional(
    groupDefaultsShape,
    'The terms of every group of jobs, in place of those of the worker',
  ),
});

export type Policy = Shaped<typeof policyShape>;

/** @throws DomainError `invalid-request` naming the field. */
export function checkPolicy(policy: Policy): void {
  checkShape(policyShape, policy, '');
  const { callback, defaults, callbacks } = policy;
  if (callback !== undefined) checkCallback(callback, 'callback');
  if (defaults?.callback !== undefined) checkCallback(defaults.callback, 'defaults.callback');
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
  return { ...ofAll, ...own, defaults: { ...ofAll.defaults, ...own.defaults } };
}
