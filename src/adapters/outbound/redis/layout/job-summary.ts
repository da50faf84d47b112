import type { JobState } from '../../../../domain/jobs/job-status.ts';
import { summarizedReason, type JobSummary } from '../../../../domain/jobs/job-summary.ts';
import { isObject } from '../../../../domain/values/json.ts';
import { lastAnswerStatus, RECORDED } from './attempt-lines.ts';
import { storedNumber, storedValue } from './job-record.ts';

/** In the place of the names of fields: the bytes of the data, the score of a delayed job, the beginning of its reason. */
export const [DATA_SIZE, DELAY_SCORE, SHORT_REASON] = ['<size>', '<score>', '<reason>'] as const;

/** What is read of a job for its summary. */
export const SUMMARY_FIELDS = [
  'name',
  'timestamp',
  'processedOn',
  'finishedOn',
  'priority',
  'atm',
  'attemptsMade',
  'opts',
  'progress',
  SHORT_REASON,
  RECORDED,
  'parent',
  DATA_SIZE,
  DELAY_SCORE,
] as const;

/** The most bytes of a name, options and the like that are read. */
export const LONGEST_OF_SUMMARY = 16_384;

/** The score of a delayed job is its due time times this factor, which makes room for the bits of a counter. */
const DUE_SCALE = 0x1000;

/** The summary of a job. Other producers write to the same queues, so nothing in the record is trusted. */
export function jobSummary(
  id: string,
  state: JobState,
  values: readonly (string | number | null)[],
  prefix: string,
): JobSummary {
  const dataSize = Number(values[SUMMARY_FIELDS.indexOf(DATA_SIZE)]);
  const texts = values.map((value) => (typeof value === 'string' ? value : ''));
  const [name = '', timestamp, processedOn, finished, priority, atm, attemptsMade] = texts;
  const [, , , , , , , stored, , , attempts = '', parent, , score] = texts;
  const opts = objectIn(stored);
  const [finishedOn, dueAt] = [numberIn(finished), numberIn(score)];
  const reason = values[SUMMARY_FIELDS.indexOf(SHORT_REASON)];
  return {
    id,
    name,
    state,
    timestamp: numberIn(timestamp) ?? 0,
    processedOn: numberIn(processedOn),
    finishedOn,
    dueAt: dueAt === null ? null : Math.floor(dueAt / DUE_SCALE),
    priority: numberIn(priority) ?? number(opts['priority']) ?? 0,
    attemptsMade: numberIn(atm || attemptsMade) ?? 0,
    attempts: number(opts['attempts']) ?? 0,
    progress: progressIn(values[SUMMARY_FIELDS.indexOf('progress')] ?? '0'),
    failedReason: typeof reason === 'string' ? summarizedReason(reason) : null,
    lastStatus: lastAnswerStatus(attempts, finishedOn),
    group: groupIn(opts),
    parent: parentIn(parent, prefix),
    dataSize,
  };
}

/** Progress that is too long to be read is no number. */
function progressIn(value: string | number): number | null {
  return typeof value === 'number' ? null : number(storedValue(value || '0'));
}

/** The group among the options of a job, if any. */
export function groupIn({ group }: Readonly<Record<string, unknown>>): string | null {
  const id = isObject(group) ? group['id'] : undefined;
  return typeof id === 'string' ? id : null;
}

function parentIn(text: string | undefined, prefix: string): JobSummary['parent'] {
  const { id, queueKey } = objectIn(text);
  if (typeof id !== 'string' || typeof queueKey !== 'string') return null;
  if (!queueKey.startsWith(`${prefix}:`)) return null;
  return { queue: queueKey.slice(prefix.length + 1), id };
}

/** What a text has as JSON, if that is an object. */
export function objectIn(text = ''): Readonly<Record<string, unknown>> {
  const value = text === '' ? undefined : storedValue(text);
  return isObject(value) ? value : {};
}

function numberIn(text = ''): number | null {
  return text === '' ? null : (storedNumber(text) ?? null);
}

function number(value: unknown): number | null {
  return typeof value === 'number' ? value : null;
}
