import { normalBackoff } from './backoff.ts';
import { checkShape } from '../values/check-shape.ts';
import { jobOptionFields, type JobOptions } from './job-options.ts';
import { jobData } from './job.ts';
import type { Json, JsonText } from '../values/json.ts';
import { object, oneOf, optional, type Shaped } from '../values/shape.ts';

const { attempts, backoff, priority } = jobOptionFields;

/** The fields that a retry may replace. */
export const jobRetryShape = object('Retry', {
  opts: optional(
    object('RetryOptions', { attempts, backoff, priority }),
    'Options in place of those that the job has; the others stay',
  ),
  data: optional(jobData, 'Anything, in place of the data that the job has'),
  steps: optional(oneOf('keep', 'forget'), 'Whether its saved steps stay; `keep` unless given'),
});

export type JobRetryInput = Shaped<typeof jobRetryShape>;

/** A retry that passed every rule. Absent fields keep their values. */
export interface JobRetry {
  readonly opts?: ChangedOptions;
  readonly data?: Json | JsonText;
  readonly steps?: 'keep' | 'forget';
}

/** Options that replace those of a stored job. */
export type ChangedOptions = Partial<
  Pick<JobOptions, 'attempts' | 'backoff' | 'priority' | 'cost'>
>;

/** @throws DomainError `invalid-request` naming the field. */
export function jobRetry(input: JobRetryInput): JobRetry {
  checkShape(jobRetryShape, input, '');
  const { opts, data, steps } = input;
  return {
    ...(opts !== undefined && { opts: changedOptions(opts) }),
    ...(data !== undefined && { data }),
    ...(steps !== undefined && { steps }),
  };
}

function changedOptions({ backoff, ...plain }: NonNullable<JobRetryInput['opts']>): ChangedOptions {
  return backoff === undefined ? plain : { ...plain, backoff: normalBackoff(backoff) };
}
