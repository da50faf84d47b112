import { checkShape } from './check-shape.ts';
import { text, type Shape } from './shape.ts';
import { hasLength, isPrintable } from './text.ts';

/** Length bounds of queue names, in characters (specification, "Limits"). */
export interface QueueNameLimits {
  readonly min: number;
  readonly max: number;
}

/** A colon separates the parts of a key in the store. */
export function queueName({ min, max }: QueueNameLimits): Shape<string> {
  return text(
    `be a string of ${min} to ${max} characters without ":" or control characters`,
    (name) => hasLength(name, min, max) && isPrintable(name) && !name.includes(':'),
    {
      minLength: min,
      maxLength: max,
      examples: ['mail'],
      pattern: '^[^:\\u0000-\\u001f\\u007f-\\u009f]*$',
    },
  );
}

/** @throws DomainError `invalid-request` when the name breaks the rule of its length and letters. */
export function checkQueueName(
  name: unknown,
  limits: QueueNameLimits,
  path = 'queue name',
): string {
  checkShape(queueName(limits), name, path);
  return name as string;
}
