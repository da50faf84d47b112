import { checkShape } from '../values/check-shape.ts';
import { MAX_REASON_BYTES } from '../values/reason.ts';
import { requestTooLarge, type DomainError } from '../errors.ts';
import type { AttemptEnding } from './ending.ts';
import { reportedCostShape } from '../queues/start-cost.ts';
import { lockShape } from './job-claim.ts';
import {
  boolean,
  bounded,
  integer,
  object,
  optional,
  required,
  text,
  type Shaped,
} from '../values/shape.ts';
import { cutToBytes, trimmed } from '../values/text.ts';

/** The most characters of a reported reason, of which only the first are kept. */
const MAX_REPORTED_REASON = 1_048_576;

/** What the holder of an attempt's token may report about a failure. */
export const failureReportShape = object('FailureReport', {
  reason: required(
    bounded(
      MAX_REPORTED_REASON,
      text('be a string that is not blank', (reason) => reason.trim() !== '', {
        pattern: '\\S',
        examples: ['The mailbox is full'],
      }),
    ),
    `Why it failed; its first ${MAX_REASON_BYTES} bytes are kept`,
  ),
  retry: optional(
    boolean,
    'Whether another attempt may follow, as the job says; true unless given',
  ),
  delay: optional(integer(0), 'Milliseconds before that, in place of the backoff of the job'),
  cost: optional(reportedCostShape, 'The amount that the start of the attempt counts in limiters'),
});

export type FailureReport = Shaped<typeof failureReportShape>;

/**
 * @returns the reason as it is stored.
 * @throws DomainError `invalid-request` naming the field.
 */
export function reportedReason(report: FailureReport): string {
  checkShape(failureReportShape, report, '');
  return cutToBytes(trimmed(report.reason), MAX_REASON_BYTES);
}

export const lockExtensionShape = object('LockExtension', {
  lock: required(lockShape, 'Milliseconds from now that the job is held without another report'),
});

export type LockExtension = Shaped<typeof lockExtensionShape>;

export const releaseReportShape = object('Release', {
  delay: optional(integer(0), 'Milliseconds before the job may start; none unless given'),
});

export type ReleaseReport = Shaped<typeof releaseReportShape>;

/**
 * The outcome of a report: `repeated` when the same report ended the attempt recently, `refused` when it changed
 * nothing.
 */
export type ReportOutcome = 'recorded' | 'repeated' | 'refused';

/** How long (ms) a report is remembered, so that a client that got no answer may repeat it. */
export const REPORT_MEMORY = 60_000;

/** What is remembered of a report. Failures count as the same whether or not the job is retried. */
export type Report = 'completed' | 'failed' | 'released' | 'suspended';

export function reportOf({ kind }: AttemptEnding): Report {
  return kind === 'completed' ? 'completed' : 'failed';
}

/**
 * The outcome of a report on an attempt that no longer holds its job.
 *
 * @param remembered the report that ended the attempt, if one did recently.
 */
export function lateReportOutcome(report: Report, remembered: Report | undefined): ReportOutcome {
  return remembered === report ? 'repeated' : 'refused';
}

/** @param most the maximum size of a return value, in bytes. */
export function returnValueTooLarge(most: number): DomainError {
  return requestTooLarge(`A return value must be of at most ${most} bytes`);
}
