import { backoffDelayRule, backoffTypeRule } from '../../../../../domain/backoff.ts';
import { jobOptionRules } from '../../../../../domain/job-options.ts';
import { jobDataRule, jobNameRule } from '../../../../../domain/job.ts';
import { isObject } from '../../../../../domain/json.ts';
import type { Rule } from '../../../../../domain/rule.ts';

const backoffFields = new Map<string, Rule>([
  ['type', backoffTypeRule],
  ['delay', backoffDelayRule],
]);

const backoff: Rule = {
  must: 'be an object of type and delay, or a number of milliseconds',
  accepts: (value) =>
    typeof value === 'number'
      ? backoffDelayRule.accepts(value)
      : keepsRules(value, backoffFields) &&
        Object.hasOwn(value, 'type') &&
        Object.hasOwn(value, 'delay'),
};

const optionFields = new Map<string, Rule>([
  ...Object.entries(jobOptionRules),
  ['backoff', backoff],
]);

const options: Rule = { must: 'be an object', accepts: (value) => keepsRules(value, optionFields) };

const jobFields = new Map<string, Rule>([
  ['name', jobNameRule],
  ['data', jobDataRule],
  ['opts', options],
]);

/**
 * Says of a parsed JSON value whether the job schema accepts it, at a fiftieth of its cost and
 * without a word on what is wrong. Batches hold thousands of good jobs and as a rule no bad one.
 */
export function isPlainJob(value: unknown): boolean {
  return (
    keepsRules(value, jobFields) && Object.hasOwn(value, 'name') && Object.hasOwn(value, 'data')
  );
}

/** An object whose every field is known and keeps its rule. */
function keepsRules(value: unknown, fields: ReadonlyMap<string, Rule>): value is object {
  if (!isObject(value)) return false;
  for (const name of Object.keys(value)) {
    const rule = fields.get(name);
    if (rule?.accepts(value[name]) !== true) return false;
  }
  return true;
}
