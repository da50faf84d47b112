import { cutToBytes } from '../values/text.ts';

/** How many attempts of a job are on record, the last ones. */
export const KEPT_ATTEMPTS = 10;

/** Most bytes of an answer that are on record, in UTF-8. */
const MAX_RESPONSE_BYTES = 1024;

/**
 * How an attempt came out; `refused` is that of a connection that was not made, or broke. One that was `deferred` does
 * not count, and is made again under the same number.
 */
export const ATTEMPT_OUTCOMES = [
  'completed',
  'failed',
  'timeout',
  'refused',
  'deferred',
  'stalled',
  'cancelled',
] as const;

export type AttemptOutcome = (typeof ATTEMPT_OUTCOMES)[number];

/** The call of an attempt that had several jobs. */
export interface CallOfSeveral {
  readonly id: string;
  /** How many jobs it had. */
  readonly size: number;
}

/** One attempt of a job, as it is kept on record. Times are epoch milliseconds. */
export interface AttemptRecord {
  /** From 1 over all attempts of the job, those before a retry by hand too. */
  readonly number: number;
  readonly startedAt: number;
  readonly endedAt: number;
  readonly outcome: AttemptOutcome;
  /** That of the answer, null when there was none. */
  readonly status: number | null;
  /** Why it failed, or what was wrong with the answer that completed the job. */
  readonly reason: string | null;
  /** The beginning of the answer, null when there was none. */
  readonly response: string | null;
  /** Whose attempt it was, as its log lines name it. */
  readonly replica: string | null;
  /** The id of its trace, null when it was not traced. */
  readonly traceId: string | null;
  /** Absent when the job had a call of its own. */
  readonly batch?: CallOfSeveral;
}

/** An attempt whose holder lost the job: it stalled or was cancelled. Its trace follows from its token. */
export interface TakenAttempt {
  readonly token: string;
  /** How often the job had started then, this time included. */
  readonly starts: number;
}

/** An attempt as its store keeps it. */
export type StoredAttempt = AttemptRecord & { readonly taken?: TakenAttempt };

/** How many attempts were ever made, when the last ones are on record. */
export function attemptsCount(
  attempts: readonly Pick<AttemptRecord, 'number' | 'outcome'>[],
): number {
  const last = attempts.at(-1);
  if (last === undefined) return 0;
  return last.outcome === 'deferred' ? last.number - 1 : last.number;
}

/** What an attempt that ends by itself leaves on record, besides what its store knows. */
export interface EndedCall {
  readonly outcome: Exclude<AttemptOutcome, 'stalled' | 'cancelled'>;
  readonly status?: number;
  readonly response?: string;
  /** What was wrong with the answer of a call that completed its job. */
  readonly doubt?: string;
  /** Absent when the attempt is not traced. */
  readonly traceId?: string;
  /** Absent when the job had a call of its own. */
  readonly batch?: CallOfSeveral;
}

/** An attempt on record, without what only a store of several replicas knows. */
export type RecordedAttempt = Omit<StoredAttempt, 'replica'>;

/** What is known of an attempt when it ends. */
export type AttemptEnd = Pick<RecordedAttempt, 'outcome'> &
  Partial<Pick<RecordedAttempt, 'status' | 'response' | 'reason' | 'traceId' | 'batch' | 'taken'>>;

/** The record of a job with an attempt that ends now: the last KEPT_ATTEMPTS. */
export function withAttempt(
  attempts: readonly RecordedAttempt[],
  end: AttemptEnd,
  startedAt: number,
  now: number,
): readonly RecordedAttempt[] {
  const { outcome, status = null, reason = null, response = null, traceId = null } = end;
  const { batch, taken } = end;
  const number = attemptsCount(attempts) + 1;
  const ended = {
    number,
    startedAt,
    endedAt: now,
    outcome,
    status,
    reason,
    response,
    traceId,
    ...(batch && { batch }),
    ...(taken && { taken }),
  };
  return [...attempts, ended].slice(-KEPT_ATTEMPTS);
}

/** The part of an answer that is on record. */
export function recordedResponse(body: string): string {
  return cutToBytes(body, MAX_RESPONSE_BYTES);
}

/** An attempt as it goes over the wire. */
export type AttemptJson = AttemptRecord & {
  readonly durationMs: number;
  readonly group?: string;
};

/** @param group that of the job, if it has one. */
export function attemptJson(attempt: AttemptRecord, group?: string): AttemptJson {
  const durationMs = attempt.endedAt - attempt.startedAt;
  return { ...attempt, durationMs, ...(group !== undefined && { group }) };
}
