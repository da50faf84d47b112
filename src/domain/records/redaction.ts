import type { StoredAttempt } from '../attempts/attempt-record.ts';
import type { JobChanges, JobRecord } from './job-record.ts';
import { isObject, parsedJson } from '../values/json.ts';
import { without } from '../values/without.ts';
import { failureCause } from '../jobs/failure-cause.ts';
import { CALLED_OPTIONS } from '../access/called-options.ts';

/*
 * What redacting an ended job leaves of it (reach contract, section 20): who it is, what it counted, when it ran, how it
 * ended and why. The reason of a failure often repeats the answer of an endpoint, so its cause stays in its place:
 * failures are still grouped as they were.
 */

const NOTHING = 'null';

/** Whether a text must go as a whole. */
export type IsCleared = (text: string) => boolean;

const never: IsCleared = () => false;

/** The fields of a redacted job. @param now epoch ms. */
export function redactedFields(
  job: JobRecord,
  now: number,
  isCleared: IsCleared = never,
): JobChanges {
  const { failedReason, attempts, opts, redactedOn = now } = job;
  return {
    data: NOTHING,
    returnvalue: NOTHING,
    progress: '0',
    stacktrace: null,
    mustFail: undefined,
    opts: redactedOptions(opts),
    failedReason: redactedReason(failedReason, isCleared),
    attempts: attempts.map((attempt) => redactedAttempt(attempt, isCleared)),
    redactedOn,
  };
}

/** The cause of a failure, unless the reason is to go. */
export function redactedReason(
  reason: string | undefined,
  isCleared: IsCleared = never,
): string | undefined {
  return reason === undefined || isCleared(reason) ? undefined : failureCause(reason);
}

export function redactedAttempt(
  attempt: StoredAttempt,
  isCleared: IsCleared = never,
): StoredAttempt {
  const reason = redactedReason(attempt.reason ?? undefined, isCleared) ?? null;
  return { ...attempt, response: null, reason };
}

/**
 * Options without a callback and a destination, whose address and headers are for one job. Of a letter, the reason of its
 * original goes too, and what its options called.
 *
 * @param opts as JSON, as any producer may have stored them.
 */
export function redactedOptions(opts: string): string {
  const options = parsedJson(opts);
  if (!isObject(options)) return '{}';
  if (!CALLED_OPTIONS.some((name) => name in options) && !('origin' in options)) return opts;
  const { origin, ...others } = uncalled(options);
  return JSON.stringify({
    ...others,
    ...(isObject(origin) && { origin: redactedOrigin(origin) }),
  });
}

function redactedOrigin(origin: Readonly<Record<string, unknown>>): object {
  const { opts, ...rest } = without(origin, 'failedReason');
  return { ...rest, ...(isObject(opts) && { opts: uncalled(opts) }) };
}

function uncalled(options: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  return without(without(options, 'callback'), 'endpoint');
}
