import { type Backoff, checkBackoff } from './backoff.ts';
import { customJobIdRule } from './job-id.ts';
import { boolean, enforceOptional, integer } from './rule.ts';

/** Options as a client may give them (specification, "JobOpts"). Times are in milliseconds. */
export interface JobOptionsInput {
  readonly attempts?: number;
  readonly backoff?: number | Backoff;
  readonly delay?: number;
  readonly priority?: number;
  readonly lifo?: boolean;
  readonly jobId?: string;
}

/**
 * Options of a stored job, defaults applied. Other producers of the same queue may have stored
 * options this service does not know: they are kept and returned as they are.
 */
export interface JobOptions {
  readonly attempts: number;
  readonly delay: number;
  readonly backoff?: Backoff;
  readonly priority?: number;
  readonly lifo?: boolean;
  readonly jobId?: string;
  readonly [other: string]: unknown;
}

export const HIGHEST_PRIORITY_NUMBER = 2_097_152;

/** One rule per plain option. `backoff` is checked by `checkBackoff`, being two fields. */
export const jobOptionRules = {
  attempts: integer(0),
  delay: integer(0),
  priority: integer(0, HIGHEST_PRIORITY_NUMBER),
  lifo: boolean,
  jobId: customJobIdRule,
} as const;

/**
 * Applies the defaults of the specification: `attempts` and `delay` are 0 when unset, and a bare
 * number as backoff means that many milliseconds each time.
 *
 * @throws DomainError `invalid-request` naming the field under `path`.
 */
export function jobOptions(input: JobOptionsInput, path: string): JobOptions {
  enforceOptional(jobOptionRules.attempts, input.attempts, `${path}.attempts`);
  enforceOptional(jobOptionRules.delay, input.delay, `${path}.delay`);
  enforceOptional(jobOptionRules.priority, input.priority, `${path}.priority`);
  enforceOptional(jobOptionRules.lifo, input.lifo, `${path}.lifo`);
  enforceOptional(jobOptionRules.jobId, input.jobId, `${path}.jobId`);
  const { backoff, ...plain } = input;
  const options = { ...plain, attempts: plain.attempts ?? 0, delay: plain.delay ?? 0 };
  if (backoff === undefined) return options;
  if (typeof backoff === 'number') {
    const fixed = { type: 'fixed', delay: backoff };
    enforceOptional(integer(0), backoff, `${path}.backoff`);
    return { ...options, backoff: fixed };
  }
  checkBackoff(backoff, `${path}.backoff`);
  return { ...options, backoff };
}
