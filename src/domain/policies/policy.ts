import { groupDefaultsShape } from '../groups/group-settings.ts';
import { checkShape } from '../values/check-shape.ts';
import { optionsFlagged } from '../jobs/job-options.ts';
import { integer, object, optional, type Shaped } from '../values/shape.ts';

const { removeOnComplete, removeOnFail, keepLogs, ...others } = optionsFlagged('inPolicies');

/** The order of the fields is that of the document, and of two mistakes the error names the first. */
const defaultsShape = object('PolicyDefaults', {
  ...others,
  removeOnComplete,
  removeOnFail,
  keepLogs,
});

/** Options for jobs that do not have them when they are added. */
export type PolicyDefaults = Shaped<typeof defaultsShape>;

/** What holds for the jobs that are added to a queue, or to all queues. */
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

/** The policy of a queue together with that of all queues, which holds where the first says nothing. */
export function joinedPolicy(own: Policy, ofAll: Policy | undefined): Policy {
  if (ofAll === undefined) return own;
  return { ...ofAll, ...own, defaults: { ...ofAll.defaults, ...own.defaults } };
}
