import { cutToBytes } from '../values/text.ts';

/** How many attempts of a job are kept on record, the latest ones. */
export const KEPT_ATTEMPTS = 10;

/** How much of an answer is kept on record, in bytes of UTF-8. */
const MAX_RESPONSE_BYTES = 1024;

/**
 * How an attempt ended. `refused`: the connection failed or broke. Neither a `deferred` nor a `suspended` attempt counts:
 * the next one has the same number.
 */
export const ATTEMPT_OUTCOMES = [
  'completed',
  'failed',
  'timeout',
  'refused',
  'deferred',
  'suspended',
  'stalled',
  'cancelled',
] as const;

export type AttemptOutcome = (typeof ATTEMPT_OUTCOMES)[number];

/** The call of an attempt that shared it with other jobs. */
export interface CallOfSeveral {
  readonly id: string;
  /** How many jobs the call had. */
  readonly size: number;
}

/** One attempt of a job, as it is recorded. Times are epoch milliseconds. */
export interface AttemptRecord {
  /** Counts all attempts of the job from 1, including those before a manual retry. */
  readonly number: number;
  readonly startedAt: number;
  readonly endedAt: number;
  readonly outcome: AttemptOutcome;
  /** The status of the answer, null when there was none. */
  readonly status: number | null;
  /** Why it failed, or what was wrong with the answer that completed the job. */
  readonly reason: string | null;
  /** The beginning of the answer, null when there was none. */
  readonly response: string | null;
  /** The replica that handled the attempt, as its log lines name it. */
  readonly replica: string | null;
  /** The id of its trace, null when it was not traced. */
  readonly traceId: string | null;
  /** Absent when the job had a call of its own. */
  readonly batch?: CallOfSeveral;
  /** The names of the steps that it saved; absent for a job without steps. */
  readonly saved?: readonly string[];
}

/** An attempt that lost its job: the job stalled or was cancelled. Its trace can be derived from its token. */
export interface TakenAttempt {
  readonly token: string;
  /** How often the job had started by then, including this attempt. */
  readonly starts: number;
}

/** An attempt as its store keeps it. */
export type StoredAttempt = AttemptRecord & { readonly taken?: TakenAttempt };

/** How many attempts were ever made, although only the latest are on record. */
export function attemptsCount(
  attempts: readonly Pick<AttemptRecord, 'number' | 'outcome'>[],
): number {
  const last = attempts.at(-1);
  if (last === undefined) return 0;
  const isUncounted = last.outcome === 'deferred' || last.outcome === 'suspended';
  return isUncounted ? last.number - 1 : last.number;
}

/** Whether the next attempt goes on after a suspension. @param suspensions how many there were since a retry by hand. */
export function isWakeAfter(
  attempts: readonly Pick<AttemptRecord, 'outcome'>[],
  suspensions: number,
): boolean {
  return suspensions > 0 && attempts.at(-1)?.outcome === 'suspended';
}

/** What an attempt that ends by itself records, besides what its store knows. */
export interface EndedCall {
  readonly outcome: Exclude<AttemptOutcome, 'stalled' | 'cancelled'>;
  readonly status?: number;
  readonly response?: string;
  /** What was wrong with the answer of a call that completed its job nevertheless. */
  readonly doubt?: string;
  /** Absent when the attempt is not traced. */
  readonly traceId?: string;
  /** Absent when the job had a call of its own. */
  readonly batch?: CallOfSeveral;
}

/** What is known of an attempt when it ends. */
export type AttemptEnd = Pick<StoredAttempt, 'outcome'> &
  Partial<
    Pick<
      StoredAttempt,
      'status' | 'response' | 'reason' | 'replica' | 'traceId' | 'batch' | 'saved' | 'taken'
    >
  >;

/** The record of a job with an attempt that ends now, cut to the last KEPT_ATTEMPTS. */
export function withAttempt(
  attempts: readonly StoredAttempt[],
  end: AttemptEnd,
  startedAt: number,
  now: number,
): readonly StoredAttempt[] {
  const { outcome, status = null, reason = null, response = null } = end;
  const { replica = null, traceId = null, batch, saved, taken } = end;
  const number = attemptsCount(attempts) + 1;
  const ended = {
    number,
    startedAt,
    endedAt: now,
    outcome,
    status,
    reason,
    response,
    replica,
    traceId,
    ...(batch && { batch }),
    ...(saved && { saved }),
    ...(taken && { taken }),
  };
  return [...attempts, ended].slice(-KEPT_ATTEMPTS);
}

/** The status of the last answer. Null for a job that ended after its last attempt, such as a cancelled one. */
export function lastStatusOf(
  last: Pick<AttemptRecord, 'endedAt' | 'status'> | undefined,
  finishedOn: number | null,
): number | null {
  if (last === undefined || (finishedOn !== null && finishedOn > last.endedAt)) return null;
  return last.status;
}

/** The part of an answer that is kept on record. */
export function recordedResponse(body: string): string {
  return cutToBytes(body, MAX_RESPONSE_BYTES);
}

/** An attempt as the API returns it. */
export type AttemptJson = AttemptRecord & {
  readonly durationMs: number;
  readonly group?: string;
};

/** @param group the group of the job, if it has one. */
export function attemptJson(attempt: AttemptRecord, group?: string): AttemptJson {
  const durationMs = attempt.endedAt - attempt.startedAt;
  return { ...attempt, durationMs, ...(group !== undefined && { group }) };
}
