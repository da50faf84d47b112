import { enforce, type Rule } from './rule.ts';
import { hasLength, isPrintable } from './text.ts';

/** Length bounds of queue names, in characters (specification, "Limits"). */
export interface QueueNameLimits {
  readonly min: number;
  readonly max: number;
}

/** A colon separates the parts of a key in the store. */
export function queueNameRule({ min, max }: QueueNameLimits): Rule {
  return {
    must: `be a string of ${min} to ${max} characters without ":" or control characters`,
    accepts: (value) =>
      typeof value === 'string' &&
      hasLength(value, min, max) &&
      isPrintable(value) &&
      !value.includes(':'),
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
