import { text, type Shape } from './shape.ts';
import { hasLength, isPrintable } from './text.ts';

/** A name that a client chooses freely, on one line. @param most characters. */
export function printableText(most: number, example: string): Shape<string> {
  return text(
    `be a string of 1 to ${most} characters without control characters`,
    (given) => hasLength(given, 1, most) && isPrintable(given),
    {
      minLength: 1,
      maxLength: most,
      pattern: '^[^\\u0000-\\u001f\\u007f-\\u009f]*$',
      examples: [example],
    },
  );
}
