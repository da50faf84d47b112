import { lastStatusOf, type AttemptRecord } from '../../../../domain/attempts/attempt-record.ts';
import type { JobState } from '../../../../domain/jobs/job-status.ts';
import { summarizedReason, type JobSummary } from '../../../../domain/jobs/job-summary.ts';
import type { QueueName } from '../../../../domain/queues/queue-name.ts';
import { isObject } from '../../../../domain/values/json.ts';
import { storedNumber, storedValue } from './job-record.ts';

/** What scripts return for a job; a missing value is an empty text or, for the reason, null. */
export type JobSummaryAnswer =
  | readonly [
      state: JobState,
      name: string,
      timestamp: string,
      processedOn: string,
      finishedOn: string,
      priority: string,
      attemptsMade: string,
      opts: string,
      progress: string,
      failedReason: string | null,
      /** Its first five fields: a JSON array without its end. */
      lastAttempt: string,
      parent: string,
      dataSize: number,
      delayScore: string,
    ]
  | null;

/** The score of a delayed job is its due time times this factor, which makes room for the bits of a counter. */
const DUE_SCALE = 0x1000;

/** The summary of a job. Other producers write to the same queues, so nothing in the record is trusted. */
export function jobSummary(
  id: string,
  answer: NonNullable<JobSummaryAnswer>,
  prefix: string,
): JobSummary {
  const [state, name, timestamp, processedOn, finishedOn, priority, attemptsMade] = answer;
  const [, , , , , , , stored, progress, reason, lastAttempt, parent, dataSize, score] = answer;
  const opts = objectIn(stored);
  const dueAt = numberIn(score);
  return {
    id,
    name,
    state,
    timestamp: numberIn(timestamp) ?? 0,
    processedOn: numberIn(processedOn),
    finishedOn: numberIn(finishedOn),
    dueAt: dueAt === null ? null : Math.floor(dueAt / DUE_SCALE),
    priority: numberIn(priority) ?? number(opts['priority']) ?? 0,
    attemptsMade: numberIn(attemptsMade) ?? 0,
    attempts: number(opts['attempts']) ?? 0,
    progress: progress === '' ? null : number(storedValue(progress)),
    failedReason: reason === null ? null : summarizedReason(reason),
    lastStatus: lastStatusOf(attemptIn(lastAttempt), numberIn(finishedOn)),
    group: groupIn(opts),
    parent: parentIn(parent, prefix),
    dataSize,
  };
}

function groupIn({ group }: Readonly<Record<string, unknown>>): string | null {
  const id = isObject(group) ? group['id'] : undefined;
  return typeof id === 'string' ? id : null;
}

function parentIn(text: string, prefix: string): JobSummary['parent'] {
  const { id, queueKey } = objectIn(text);
  if (typeof id !== 'string' || typeof queueKey !== 'string') return null;
  if (!queueKey.startsWith(`${prefix}:`)) return null;
  return { queue: queueKey.slice(prefix.length + 1) as QueueName, id };
}

function attemptIn(text: string): Pick<AttemptRecord, 'endedAt' | 'status'> | undefined {
  const fields = text === '' ? undefined : storedValue(`${text}]`);
  if (!Array.isArray(fields)) return undefined;
  const [, startedAt, took, , status] = fields;
  return { endedAt: (number(startedAt) ?? Infinity) + (number(took) ?? 0), status: number(status) };
}

function objectIn(text: string): Readonly<Record<string, unknown>> {
  const value = text === '' ? undefined : storedValue(text);
  return isObject(value) ? value : {};
}

function numberIn(text: string): number | null {
  return text === '' ? null : (storedNumber(text) ?? null);
}

function number(value: unknown): number | null {
  return typeof value === 'number' ? value : null;
}
