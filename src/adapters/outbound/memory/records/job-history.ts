import { endedState } from '../../../../domain/jobs/job-status.ts';
import { NO_STEPS, type JobHistory } from '../../../../domain/records/job-record.ts';
import { without } from '../../../../domain/values/without.ts';
import type { StoredJob } from '../state/stored-job.ts';
import type { WrittenJob } from './job-record.ts';

/*
 * Where the history of a job is written: steps need it only when an attempt ends. Of a job that goes on it has a record of
 * its own. That of a job that ended is in the record of the job, unless it is large: a start reads that record.
 */

/** The history of a job without attempts, which all of these share. */
export const NO_HISTORY: Readonly<JobHistory> = {
  progress: '0',
  returnvalue: 'null',
  failedReason: undefined,
  stacktrace: null,
  attempts: [],
  steps: NO_STEPS,
};

/** Characters of a history that the record of a job has at most. */
const MOST_INLINE = 2000;

/** About how many characters a step takes. */
export const STEP_LENGTH = 100;

/** About how many characters one attempt takes beside its texts. */
const ATTEMPT_OVERHEAD = 200;

export function lengthOfHistory(history: Readonly<JobHistory>): number {
  if (history === NO_HISTORY) return 0;
  const { progress, returnvalue, failedReason = '', stacktrace, attempts, steps } = history;
  let length = progress.length + returnvalue.length + failedReason.length;
  length += steps.length * STEP_LENGTH;
  for (const reason of stacktrace ?? []) length += reason.length;
  for (const { reason, response } of attempts) {
    length += ATTEMPT_OVERHEAD + (reason?.length ?? 0) + (response?.length ?? 0);
  }
  return length;
}

/** Whether the history of a job is to be in a record of its own. */
export function hasHistoryApart(job: StoredJob): boolean {
  if (!job.isWhole) return job.hasHistory;
  const isInline =
    endedState(job.status) === undefined
      ? job.history === NO_HISTORY
      : lengthOfHistory(job.history) <= MOST_INLINE;
  return !isInline;
}

type InlineHistory = { readonly [Name in keyof JobHistory]?: JobHistory[Name] | undefined };

/**
 * Returns the part of its history that the record of an ended job contains, without the fields that equal those of
 * `NO_HISTORY`. A job that failed while its history was on the disk has its reason only here.
 *
 * @param isApart as `hasHistoryApart` returns it.
 */
export function inlineHistory(job: StoredJob, isApart: boolean): InlineHistory {
  if (!job.isWhole) return { failedReason: job.failedWith };
  if (isApart) return {};
  const { progress, returnvalue, failedReason, stacktrace, attempts, steps } = job.history;
  return {
    failedReason,
    progress: progress === NO_HISTORY.progress ? undefined : progress,
    returnvalue: returnvalue === NO_HISTORY.returnvalue ? undefined : returnvalue,
    stacktrace: stacktrace === NO_HISTORY.stacktrace ? undefined : stacktrace,
    attempts: attempts.length === 0 ? undefined : attempts,
    steps: steps.length === 0 ? undefined : steps,
  };
}

/** A history as its own record has it. */
export function writtenApart(history: Readonly<JobHistory>): object {
  return history.steps.length === 0 ? without(history, 'steps') : history;
}

/** The history that the record of a job has; undefined if it has none of it. */
export function writtenInline(written: WrittenJob): Readonly<JobHistory> | undefined {
  const { progress, returnvalue, failedReason, stacktrace, attempts, steps } = written;
  const isInline =
    (progress ?? returnvalue ?? failedReason ?? stacktrace ?? attempts ?? steps) !== undefined;
  return isInline ? historyOf(written) : undefined;
}

/** The history of a job whose record is replaced by another one. */
export function replacedHistory(
  before: Readonly<JobHistory>,
  written: WrittenJob,
): Readonly<JobHistory> {
  if (endedState(written.status) === undefined) {
    return written.hasHistory === true ? before : (writtenInline(written) ?? NO_HISTORY);
  }
  return historyOf(written.hasHistory === true ? { ...before, ...written } : written);
}

/** A history as it was written. */
export function historyOf({
  progress = NO_HISTORY.progress,
  returnvalue = NO_HISTORY.returnvalue,
  failedReason,
  stacktrace = NO_HISTORY.stacktrace,
  attempts = NO_HISTORY.attempts,
  steps = NO_HISTORY.steps,
}: Partial<JobHistory>): Readonly<JobHistory> {
  return { progress, returnvalue, failedReason, stacktrace, attempts, steps };
}
