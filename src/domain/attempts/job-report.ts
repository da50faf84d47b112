import { requestTooLarge, type DomainError } from '../errors.ts';
import { mapTexts, type Json } from '../values/json.ts';
import { fitsInBytes, storableText, withoutNul } from '../values/text.ts';

/** Most bytes of a progress value, as JSON text in UTF-8, and of a log line, in UTF-8. */
export const MAX_REPORT_SIZE = 65_536;

/** Most bytes of a body with one: JSON text may write any character as an escape of six; quotes stand around a line. */
export const MAX_REPORT_BODY = 6 * MAX_REPORT_SIZE + 2;

/** @returns the progress as it is stored. @throws DomainError `request-too-large`. */
export function reportedProgress(progress: Json): Json {
  if (!fitsInBytes(JSON.stringify(progress), MAX_REPORT_SIZE)) throw progressTooLarge();
  return mapTexts(progress, withoutNul);
}

/** @returns the line as it is stored. @throws DomainError `request-too-large`. */
export function reportedLine(line: string): string {
  const stored = storableText(line);
  if (!fitsInBytes(stored, MAX_REPORT_SIZE)) throw logLineTooLarge();
  return stored;
}

export function progressTooLarge(): DomainError {
  return requestTooLarge(`A progress value must be of at most ${MAX_REPORT_SIZE} bytes`);
}

export function logLineTooLarge(): DomainError {
  return requestTooLarge(`A log line must be of at most ${MAX_REPORT_SIZE} bytes`);
}
