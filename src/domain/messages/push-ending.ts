import { attemptFailed, failedForGood, type AttemptEnding } from '../attempts/ending.ts';
import type { Attempt } from '../attempts/attempt.ts';
import type { Delivery } from '../attempts/made-call.ts';
import { answerHeader, type EndpointAnswer } from '../calls/delivery.ts';
import { retryAfter } from '../calls/retry-after.ts';
import type { WorkerOptions } from '../workers/worker-options.ts';
import type { Push } from './push.ts';
import { retryDelay } from './retry-delay.ts';

/** The statuses whose `Retry-After` decides when the message is tried again. */
const NOT_NOW: readonly number[] = [429, 503];

/** The status of an answer, with a header, after which no other attempt follows. */
const NOT_RETRYABLE = 489;

/** How the attempt at a pushed message ends: no other message waits for what its endpoint asks for. */
export function pushEnding(
  { outcome, call, answer }: Delivery,
  { retryDelay: expression }: Push,
  attempt: Attempt,
  { removeOnComplete, removeOnFail }: WorkerOptions = {},
  now: number,
): AttemptEnding {
  if (outcome.succeeded) {
    return { kind: 'completed', returnvalue: outcome.returnvalue, keep: removeOnComplete, call };
  }
  const { reason, final = false } = outcome;
  if (final || isNotRetryable(answer)) return failedForGood(removeOnFail, reason, call);
  const asked = answer && NOT_NOW.includes(answer.status) ? retryAfter(answer, now) : undefined;
  const pause = asked ?? retryDelay(expression, attempt.job.attemptsMade);
  return attemptFailed(removeOnFail, attempt, reason, call, now, pause);
}

function isNotRetryable(answer: EndpointAnswer | undefined): boolean {
  if (answer?.status !== NOT_RETRYABLE) return false;
  return answerHeader(answer, 'upstash-nonretryable-error')?.trim().toLowerCase() === 'true';
}
