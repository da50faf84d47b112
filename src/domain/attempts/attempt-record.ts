import {
  integer,
  listOf,
  nullable,
  object,
  oneOf,
  optional,
  required,
  string,
  time,
  type Members,
  type Shaped,
} from '../values/shape.ts';
import { startCostShape, USUAL_COST } from '../queues/start-cost.ts';
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

const callOfSeveral = object('AttemptBatch', {
  id: required(string, 'The id of the call'),
  size: required(integer(1), 'How many jobs it had'),
});

/** The call of an attempt that shared it with other jobs. */
export type CallOfSeveral = Shaped<typeof callOfSeveral>;

/** An attempt as the API returns it. */
export const attemptFields = {
  number: required(integer(1), 'From 1, over all attempts of the job'),
  startedAt: required(time, 'When it started, in milliseconds since 1970'),
  endedAt: required(time, 'When it ended, in milliseconds since 1970'),
  outcome: required(oneOf(...ATTEMPT_OUTCOMES), 'The outcome of the attempt'),
  status: required(nullable(integer(100)), 'The status of the answer; null when there was none'),
  reason: required(
    nullable(string),
    'Why it failed, or what was wrong with the answer that completed the job; else null',
  ),
  response: optional(nullable(string), 'The first kB of the answer; null when there was none'),
  durationMs: required(integer(0), 'For how many milliseconds it ran'),
  replica: required(nullable(string), 'Which replica made it, as `instance` in its log'),
  traceId: required(nullable(string), 'The id of its trace; null when it was not traced'),
  batch: optional(callOfSeveral, 'The call, where it had several jobs'),
  cost: required(startCostShape, 'The amount that its start counted in limiters'),
  saved: optional(listOf(string), 'The names of the steps that it saved, for a job with steps'),
  group: optional(string, 'The group of the job, if it has one'),
  url: optional(string, 'Where it went, for a job that names its own endpoint'),
};

export type AttemptJson = Members<typeof attemptFields>;

/** One attempt of a job, as it is recorded; those before a manual retry are counted too. */
export type AttemptRecord = Omit<
  AttemptJson,
  'response' | 'durationMs' | 'group' | 'url' | 'cost'
> & {
  readonly response: string | null;
  /** What its start counted, if that was reported; else what the options of its job say. */
  readonly cost?: number;
};

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
  /** What its start counted in limiters, if it was reported. */
  readonly cost?: number;
}

/** The call, with what the start of the attempt counted in limiters, if that was reported. */
export function withCost(call: EndedCall, cost: number | undefined): EndedCall {
  return cost === undefined ? call : { ...call, cost };
}

/** What is known of an attempt when it ends. */
export type AttemptEnd = Pick<StoredAttempt, 'outcome'> &
  Partial<
    Pick<
      StoredAttempt,
      | 'status'
      | 'response'
      | 'reason'
      | 'replica'
      | 'traceId'
      | 'batch'
      | 'cost'
      | 'saved'
      | 'taken'
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
  const { replica = null, traceId = null, batch, cost, saved, taken } = end;
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
    ...(cost !== undefined && { cost }),
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

/** @param job its group and its own destination, if it has them, and what its starts count, if its options say so. */
export function attemptJson(
  { cost, ...attempt }: AttemptRecord,
  {
    group,
    url,
    cost: ofJob = USUAL_COST,
  }: Partial<Pick<AttemptJson, 'group' | 'url' | 'cost'>> = {},
): AttemptJson {
  const durationMs = attempt.endedAt - attempt.startedAt;
  return {
    ...attempt,
    durationMs,
    cost: cost ?? ofJob,
    ...(group !== undefined && { group }),
    ...(url !== undefined && { url }),
  };
}
