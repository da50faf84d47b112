import { text, type Shape } from './shape.ts';
import { fitsInBytes } from './text.ts';

/** Longest failure reason that is stored, in bytes of UTF-8. */
export const MAX_REASON_BYTES = 1024;

/** The reason for an action, in a client's words. */
export function reasonShape(example: string): Shape<string> {
  return text(
    `be a string of 1 to ${MAX_REASON_BYTES} bytes`,
    (reason) => reason !== '' && reason.isWellFormed() && fitsInBytes(reason, MAX_REASON_BYTES),
    { minLength: 1, maxLength: MAX_REASON_BYTES, examples: [example] },
  );
}
