import { isObject } from '../values/json.ts';
import type { Job } from './job.ts';

/*
 * Jobs that other producers stored. What BullMQ itself works with is taken as it is: fractional or
 * negative attempts, types of backoff that are not known here, a backoff without a delay. What leaves
 * open whether and when to try again fails its job, once and for good, without a call.
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

/** The field that a stored job lacks to be one, as a reason to fail it; undefined when it has all. */
export function missingField(record: { has(field: string): boolean }): string | undefined {
  return record.has('name') ? undefined : 'The stored job has no name';
}

function isNumber(value: unknown): value is number {
  return typeof value === 'number' && !Number.isNaN(value);
}

function mustBe(field: string, what: string): string {
  return `${field} of the stored job must be ${what}`;
}
