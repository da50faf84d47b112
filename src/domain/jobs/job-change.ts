import { checkShape } from '../values/check-shape.ts';
import { invalidRequest } from '../errors.ts';
import type { JobAction } from './job-actions.ts';
import { jobOptionFields } from './job-options.ts';
import { jobData } from './job.ts';
import { object, optional, type Shaped } from '../values/shape.ts';

const { priority, delay, cost } = jobOptionFields;

/** What a client may change in an unfinished job. */
export const jobChangeShape = object('JobChange', {
  data: optional(jobData, 'Anything, in place of the data that the job has'),
  priority,
  delay: optional(delay.shape, 'Milliseconds from now before the job may start'),
  cost,
});

/** Absent fields keep their values. */
export type JobChange = Shaped<typeof jobChangeShape>;

/** The action of each field of a change, as listed in ALLOWED_STATES. */
const ACTIONS = {
  data: 'changeData',
  priority: 'changePriority',
  delay: 'changeDelay',
  cost: 'changeCost',
} as const satisfies Readonly<Record<keyof JobChange, JobAction>>;

/** @throws DomainError `invalid-request` naming the field, or saying that there is nothing to change. */
export function jobChange(input: JobChange): JobChange {
  checkShape(jobChangeShape, input, '');
  if (actionsOf(input).length === 0) {
    throw invalidRequest('There is nothing to change: give data, priority, delay or cost');
  }
  return input;
}

/** The actions that the change consists of, all of which must be allowed. */
export function actionsOf(change: JobChange): readonly JobAction[] {
  const parts = Object.keys(ACTIONS) as (keyof JobChange)[];
  return parts.filter((part) => change[part] !== undefined).map((part) => ACTIONS[part]);
}
