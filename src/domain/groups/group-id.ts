import { text } from '../values/shape.ts';
import { hasLength, isPrintable } from '../values/text.ts';

const MAX_LENGTH = 128;

/** The group of jobs without one. It takes turns like any other, but has no settings. */
export const NO_GROUP = '';

/** The id of a group, as clients choose it: that of a customer, a tenant or a device. */
export const groupIdShape = text(
  `be a string of 1 to ${MAX_LENGTH} characters without control characters`,
  (id) => hasLength(id, 1, MAX_LENGTH) && isPrintable(id),
  {
    minLength: 1,
    maxLength: MAX_LENGTH,
    pattern: '^[^\\u0000-\\u001f\\u007f-\\u009f]*$',
    examples: ['acme'],
  },
);
