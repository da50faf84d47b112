/** Longest beginning of a reason that is looked at, in characters: as long as the longest that we store. */
const LONGEST_REASON = 1024;

/** A reason in our own words for an answer that had none. */
const NAMES_STATUS = /^HTTP ([1-5]\d\d)(?=[ :]|$)/;

/**
 * What differs between reasons of the same cause, the longest first. No part begins within a word, so that the
 * work on a reason grows no faster than its length.
 */
const VARIABLE_PARTS = new RegExp(
  [
    /(?<quote>"[^"]*(?:"|$)|`[^`]*`|“[^”]*”|«[^»]*»|(?<![\p{L}\p{N}])'[^']*'(?![\p{L}\p{N}]))/u,
    // An e-mail address.
    /(?<![\w.+%-])[\w.+%-]{1,64}@[a-z\d-]+(?:\.[a-z\d-]+)+/u,
    // A UUID, and other numbers in hexadecimal.
    /(?<![\p{L}\p{N}])[\da-f]{8}-(?:[\da-f]{4}-){3}[\da-f]{12}(?![\p{L}\p{N}])/u,
    /(?<![\p{L}\p{N}])(?:0x[\da-f]+|(?=[a-f]*\d)[\da-f]{8,})(?![\p{L}\p{N}])/u,
    // An id that mixes letters and digits.
    /(?<![\p{L}\p{N}])(?=\d+[a-z]+\d|[a-z]+\d+[a-z])[a-z\d]{6,}(?![\p{L}\p{N}])/u,
    /\p{N}+(?:[.,]\p{N}+)*/u,
  ]
    .map(({ source }) => source)
    .join('|'),
  'giu',
);

/**
 * What reasons have in common that differ in numbers, ids, addresses and quoted parts alone: those are masked.
 * The cause of a reason stays the same, so that it names a group of failures. A status in the reason
 * is a part of the cause.
 */
export function failureCause(reason: string): string {
  const text = reason.slice(0, LONGEST_REASON).toWellFormed();
  const status = NAMES_STATUS.exec(text)?.[0] ?? '';
  return status + text.slice(status.length).replace(VARIABLE_PARTS, masked);
}

/** How a job failed, as far as it is known. */
export interface FailedAnswer {
  readonly failedReason?: string;
  /** That on record of the last attempt. */
  readonly answerStatus?: number;
}

/** The status of the last answer. Undefined when neither the record nor the reason has it. */
export function statusOfFailure({
  failedReason = '',
  answerStatus,
}: FailedAnswer): number | undefined {
  return answerStatus ?? statusInReason(failedReason);
}

/** Undefined when the reason does not name the status of an answer. */
export function statusInReason(reason: string): number | undefined {
  const status = NAMES_STATUS.exec(reason)?.[1];
  return status === undefined ? undefined : Number(status);
}

function masked(_part: string, quote: string | undefined): string {
  return quote === undefined ? '#' : `${quote.charAt(0)}…${closing(quote)}`;
}

/** A quoted part that was cut off gets its end. */
function closing(quote: string): string {
  return quote.startsWith('"') ? '"' : quote.slice(-1);
}
