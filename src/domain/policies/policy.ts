import { groupDefaultsShape } from '../groups/group-settings.ts';
import { checkShape } from '../values/check-shape.ts';
import { optionsFlagged } from '../jobs/job-options.ts';
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
  groups: optional(
    groupDefaultsShape,
    'The terms of every group of jobs, in place of those of the worker',
  ),
});

export type Policy = Shaped<typeof policyShape>;

/** @throws DomainError `invalid-request` naming the field. */
export function checkPolicy(policy: Policy): void {
  checkShape(policyShape, policy, '');
}

/** The policy of a queue, completed by the policy of all queues. */
export function joinedPolicy(own: Policy, ofAll: Policy | undefined): Policy {
  if (ofAll === undefined) return own;
  return { ...ofAll, ...own, defaults: { ...ofAll.defaults, ...own.defaults } };
}
