import { enforce, type Rule } from './rule.ts';

/** Length bounds of queue names, in characters (specification, "Limits"). */
export interface QueueNameLimits {
  readonly min: number;
  readonly max: number;
}

/**
 * A colon separates the parts of a key in the store, and a control character or half of a surrogate
 * pair cannot be written in a URL or read back in a log.
 */
// eslint-disable-next-line no-control-regex -- control characters are what the rule refuses
const FORBIDDEN = /[:\u0000-\u001f\u007f-\u009f]/;

export function queueNameRule({ min, max }: QueueNameLimits): Rule {
  return {
    must: `be a string of ${min} to ${max} characters without ":" or control characters`,
    accepts: (value) => {
      if (typeof value !== 'string' || !value.isWellFormed() || FORBIDDEN.test(value)) return false;
      const length = Array.from(value).length;
      return length >= min && length <= max;
    },
  };
}

/** @throws DomainError `invalid-request` when the name breaks the rule of its length and letters. */
export function checkQueueName(
  name: unknown,
  limits: QueueNameLimits,
  path = 'queue name',
): string {
  enforce(queueNameRule(limits), name, path);
  return name as string;
}
