import { lazy } from 'yup';
import { backoffDelayRule, backoffTypeRule } from '../../../../../domain/backoff.ts';
import { jobOptionRules } from '../../../../../domain/job-options.ts';
import { jobDataRule, jobNameRule } from '../../../../../domain/job.ts';
import { optional, optionalObject, required, requiredObject } from './field-schemas.ts';

const backoff = optionalObject(
  { type: required(backoffTypeRule), delay: required(backoffDelayRule) },
  'be an object of type and delay, or a number of milliseconds',
);

/** The shape of one job of a batch (specification, "Job (input)" and "JobOpts"). */
export const jobSchema = requiredObject({
  name: required(jobNameRule),
  data: required(jobDataRule),
  opts: optionalObject({
    attempts: optional(jobOptionRules.attempts),
    backoff: lazy((value) => (typeof value === 'number' ? required(backoffDelayRule) : backoff)),
    delay: optional(jobOptionRules.delay),
    priority: optional(jobOptionRules.priority),
    lifo: optional(jobOptionRules.lifo),
    jobId: optional(jobOptionRules.jobId),
  }),
});
