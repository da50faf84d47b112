import { checkShape } from '../values/check-shape.ts';
import { text, type Shape } from '../values/shape.ts';
import { hasLength, isPrintable } from '../values/text.ts';

declare const parsed: unique symbol;

/** A queue name that satisfies every rule. Only the shape creates one, where the name enters the service. */
export type QueueName = string & { readonly [parsed]: true };

/** Length bounds of queue names, in characters (specification, "Limits"). */
export interface QueueNameLimits {
  readonly min: number;
  readonly max: number;
}

/** The shape of queue names within those limits, to be created once. A colon separates the parts of a key. */
export function queueName({ min, max }: QueueNameLimits): Shape<QueueName> {
  return text(
    `be a string of ${min} to ${max} characters without ":" or control characters`,
    (name) => hasLength(name, min, max) && isPrintable(name) && !name.includes(':'),
    {
      minLength: min,
      maxLength: max,
      examples: ['mail'],
      pattern: '^[^:\\u0000-\\u001f\\u007f-\\u009f]*$',
    },
  ) as Shape<QueueName>;
}

/** @throws DomainError `invalid-request` when the name has an invalid length or characters. */
export function parseQueueName(name: string, shape: Shape<QueueName>): QueueName {
  checkShape(shape, name, 'queue name');
  return name as QueueName;
}
