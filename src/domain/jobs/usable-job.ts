import { isObject } from '../values/json.ts';
import type { Job } from './job.ts';

/*
 * Jobs stored by other producers. Values that BullMQ itself accepts are used as they are: fractional or negative
 * attempts, unknown types of backoff, a backoff without a delay. A job that leaves open whether and when to retry fails
 * for good, without a call.
 */

/** Why the options of a job cannot be used, naming the field; undefined when they can. */
export function unusableOption({ opts }: Job): string | undefined {
  const { attempts, backoff } = opts as Readonly<Record<string, unknown>>;
  if (!isNumber(attempts)) return mustBe('opts.attempts', 'a number');
  if (backoff === undefined) return undefined;
  if (!isObject(backoff)) return mustBe('opts.backoff', 'a number or an object');
  const { type, delay } = backoff;
  if (type !== undefined && typeof type !== 'string')
    return mustBe('opts.backoff.type', 'a string');
  if (delay !== undefined && !isNumber(delay)) return mustBe('opts.backoff.delay', 'a number');
  return undefined;
}

/**
 * The missing field of a stored record that makes it an invalid job, as a reason to fail it; undefined when it is
 * valid.
 */
export function missingField(record: { has(field: string): boolean }): string | undefined {
  return record.has('name') ? undefined : 'The stored job has no name';
}

function isNumber(value: unknown): value is number {
  return typeof value === 'number' && !Number.isNaN(value);
}

function mustBe(field: string, what: string): string {
  return `${field} of the stored job must be ${what}`;
}
