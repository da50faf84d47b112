import { cutToLength } from '../values/text.ts';

/** How much of a reason is examined, in characters: as much as the longest reason that we store. */
const LONGEST_REASON = 1024;

/** The reason, in our own words, for an answer without one. */
const NAMES_STATUS = /^HTTP ([1-5]\d\d)(?=[ :]|$)/;

/** A host with its port, which tells endpoints apart: in a URL, as an address, or in an error of a connection. */
const ENDPOINT = [
  /(?<=:\/\/)[\w.-]{1,253}:\d{1,5}(?![\w:])/u,
  /(?<![\w.:-])(?:localhost|\d{1,3}(?:\.\d{1,3}){3}|\[[\da-f:.]{2,45}\]):\d{1,5}(?![\w:])/u,
  /(?<=\bE(?:CONN|TIMEDOUT|HOST|NET)[A-Z]{0,8} )[\da-f:.]{2,45}:\d{1,5}(?![\w:])/u,
]
  .map(({ source }) => source)
  .join('|');

/**
 * The parts that vary between reasons of the same cause, longest first. No part begins within a word, so that the
 * matching time stays linear in the length of the reason.
 */
const VARIABLE_PARTS = new RegExp(
  [
    /(?<quote>"[^"]*(?:"|$)|`[^`]*`|“[^”]*”|«[^»]*»|(?<![\p{L}\p{N}])'[^']*'(?![\p{L}\p{N}]))/u,
    new RegExp(`(?<endpoint>${ENDPOINT})`, 'u'),
    // An e-mail address.
    /(?<![\w.+%-])[\w.+%-]{1,64}@[a-z\d-]+(?:\.[a-z\d-]+)+/u,
    // A UUID, or another hexadecimal number.
    /(?<![\p{L}\p{N}])[\da-f]{8}-(?:[\da-f]{4}-){3}[\da-f]{12}(?![\p{L}\p{N}])/u,
    /(?<![\p{L}\p{N}])(?:0x[\da-f]+|(?=[a-f]*\d)[\da-f]{8,})(?![\p{L}\p{N}])/u,
    // An id of mixed letters and digits.
    /(?<![\p{L}\p{N}])(?=\d+[a-z]+\d|[a-z]+\d+[a-z])[a-z\d]{6,}(?![\p{L}\p{N}])/u,
    /\p{N}+(?:[.,]\p{N}+)*/u,
  ]
    .map(({ source }) => source)
    .join('|'),
  'giu',
);

/**
 * The common part of reasons that differ only in numbers, ids, e-mail addresses and quoted parts, which are masked. The
 * cause of a reason never changes, so it can identify a group of failures. A status in the reason is part of the cause,
 * and so is a host with its port.
 */
export function failureCause(reason: string): string {
  const text = cutToLength(reason, LONGEST_REASON);
  const status = NAMES_STATUS.exec(text)?.[0] ?? '';
  return status + text.slice(status.length).replace(VARIABLE_PARTS, masked);
}

/** How a job failed, as far as known. */
export interface FailedAnswer {
  readonly failedReason?: string;
  /** The recorded outcome of the last attempt. */
  readonly answerStatus?: number;
}

/** The status of the last answer. Undefined when neither the record nor the reason contains it. */
export function statusOfFailure({
  failedReason = '',
  answerStatus,
}: FailedAnswer): number | undefined {
  return answerStatus ?? statusInReason(failedReason);
}

/** Undefined when the reason contains no status of an answer. */
export function statusInReason(reason: string): number | undefined {
  const status = NAMES_STATUS.exec(reason)?.[1];
  return status === undefined ? undefined : Number(status);
}

function masked(part: string, quote: string | undefined, endpoint: string | undefined): string {
  if (endpoint !== undefined) return part;
  return quote === undefined ? '#' : `${quote.charAt(0)}…${closing(quote)}`;
}

/** Closes a quoted part that was cut off. */
function closing(quote: string): string {
  return quote.startsWith('"') ? '"' : quote.slice(-1);
}
