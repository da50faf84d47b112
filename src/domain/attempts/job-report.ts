import { requestTooLarge, type DomainError } from '../errors.ts';
import type { Json } from '../values/json.ts';
import { fitsInBytes } from '../values/text.ts';

/** Most bytes of a progress value, as JSON text in UTF-8, and of a log line, in UTF-8. */
export const MAX_REPORT_SIZE = 65_536;

/** @throws DomainError `request-too-large`. */
export function checkProgress(progress: Json): void {
  if (!fitsInBytes(JSON.stringify(progress), MAX_REPORT_SIZE)) throw progressTooLarge();
}

/** @throws DomainError `request-too-large`. */
export function checkLogLine(line: string): void {
  if (!fitsInBytes(line, MAX_REPORT_SIZE)) throw logLineTooLarge();
}

export function progressTooLarge(): DomainError {
  return requestTooLarge(`A progress value must be of at most ${MAX_REPORT_SIZE} bytes`);
}

export function logLineTooLarge(): DomainError {
  return requestTooLarge(`A log line must be of at most ${MAX_REPORT_SIZE} bytes`);
}
