import { acceptedFor } from '../../domain/attempts/acceptance.ts';
import { withCost, type EndedCall } from '../../domain/attempts/attempt-record.ts';
import {
  attemptFailed,
  failedForGood,
  reasonNotToStart,
  suspensionRefused,
  type AttemptEnding,
} from '../../domain/attempts/ending.ts';
import { askedPause } from '../../domain/calls/backpressure.ts';
import { destinationOf } from '../../domain/calls/destination.ts';
import type { EndpointAnswer } from '../../domain/calls/delivery.ts';
import { mayRetryAt } from '../../domain/jobs/job.ts';
import { forbidsRetry } from '../../domain/calls/no-retry.ts';
import { hasUrl, NO_ENDPOINT } from '../../domain/workers/called-worker.ts';
import { disablingReason } from '../../domain/workers/worker-disabling.ts';
import type { Worker } from '../../domain/workers/worker.ts';
import type { AttemptResult } from '../ports/attempt-observer.ts';
import type { Attempt } from '../../domain/attempts/attempt.ts';
import type { Cancellation } from '../../domain/calls/cancellation.ts';
import type { CallSpan, TraceContext } from '../ports/tracing-port.ts';
import type { CommonPorts } from '../ports/common-ports.ts';
import type { EndpointCall, WebhookPort } from '../ports/webhook-port.ts';
import { SUSPENDS } from '../../domain/steps/suspend-answer.ts';
import { parsedJson } from '../../domain/values/json.ts';
import type { StepPort } from '../ports/step-port.ts';
import { latestSteps } from '../steps/latest-steps.ts';
import { refusalOf, type ReadSuspension } from '../steps/suspensions.ts';
import type { Delivery } from '../../domain/attempts/made-call.ts';
import { deliver } from './deliver.ts';

/** The endpoint accepted the job and must complete it within this many ms. */
export interface Acceptance {
  readonly acceptedFor: number;
}

/** What an attempt needs to run. */
export interface AttemptRun extends Pick<CommonPorts, 'clock' | 'tracing'> {
  readonly webhook: Pick<WebhookPort, 'call'>;
  /** The worker as it calls for the job. */
  readonly worker: Worker;
  readonly attempt: Attempt;
  /** Ends the call when the attempt is given up; its result is then discarded. */
  readonly cancellation: Cancellation;
  /** Reads an answer that suspends the job. Absent where none does. */
  readonly suspensions?: ReadSuspension | undefined;
  /** Reads what was saved during a call that is sent once more. Absent where nothing is. */
  readonly steps?: Pick<StepPort, 'list'> | undefined;
}

/** Makes one attempt, and decides how it ends. @throws ReplicaShortageError when the call could not be made. */
export type MakeAttempt = (run: AttemptRun) => Promise<AttemptResult | Acceptance>;

/**
 * Makes one attempt: calls the worker's endpoint and decides what the answer means for the job.
 *
 * @throws ReplicaShortageError when the call could not be made, which does not count as an attempt.
 */
export async function runAttempt(run: AttemptRun): Promise<AttemptResult | Acceptance> {
  const { worker, attempt, clock, suspensions, steps } = run;
  const { job, token, children } = attempt;
  const keepFailed = worker.opts?.removeOnFail;
  const mustFail = reasonNotToStart(attempt, clock.now());
  if (mustFail !== undefined || !hasUrl(worker)) {
    return { ending: failedForGood(keepFailed, mustFail ?? NO_ENDPOINT) };
  }
  const { endpoint, unreadable } = worker;
  if (unreadable !== undefined) {
    const call = { outcome: 'failed' } as const;
    return { ending: attemptFailed(keepFailed, attempt, unreadable, call, clock.now()) };
  }
  const called = {
    endpoint,
    job,
    token,
    children,
    ...(endpoint.steps === true && {
      steps: attempt.steps,
      renewed: steps && (async () => ({ steps: await latestSteps(steps, attempt) })),
    }),
  };
  const { outcome, call, answer } = await makeCall(run, called);
  if (endpoint.steps === true && answer?.status === SUSPENDS && suspensions !== undefined) {
    return { ending: await suspendedBy(answer, suspensions, worker, attempt, call, clock.now()) };
  }
  const bound = answer && acceptedFor(endpoint, answer);
  if (bound !== undefined) return { acceptedFor: bound };
  const isOfWorker = destinationOf(job.opts) === undefined;
  const disables = answer && isOfWorker ? disablingReason(answer, worker) : undefined;
  if (outcome.succeeded) {
    const { returnvalue } = outcome;
    const keep = worker.opts?.removeOnComplete;
    return { ending: { kind: 'completed', returnvalue, keep, call }, disables };
  }
  const { reason, status, final = false } = outcome;
  const isLast = final || (answer !== undefined && forbidsRetry(answer));
  const ending = isLast
    ? failedForGood(keepFailed, reason, call)
    : notCompleted(worker, attempt, reason, call, answer, clock.now());
  return { ending, status, disables };
}

/** The ending of an attempt whose answer saves steps or suspends the job, or is wrong and fails it. */
async function suspendedBy(
  { body }: EndpointAnswer,
  suspensions: ReadSuspension,
  worker: Worker,
  attempt: Attempt,
  call: EndedCall,
  now: number,
): Promise<AttemptEnding> {
  try {
    const request = await suspensions(worker.queue, parsedJson(body));
    const ended = withCost({ ...call, outcome: 'suspended' }, request.cost);
    return { kind: 'suspended', request, call: ended };
  } catch (error) {
    return suspensionRefused(worker.opts?.removeOnFail, attempt, refusalOf(error), call, now);
  }
}

/** The ending of an attempt that did not complete its job: deferred if the answer asks for that and time allows it. */
function notCompleted(
  worker: Worker,
  attempt: Attempt,
  reason: string,
  call: EndedCall,
  answer: EndpointAnswer | undefined,
  now: number,
): AttemptEnding {
  const { job, deferrals = 0 } = attempt;
  const isGrouped = job.opts.group !== undefined;
  const pause = answer && askedPause(answer, worker.opts?.backpressure, deferrals, now, isGrouped);
  if (pause?.defers === undefined || !mayRetryAt(job, now + pause.wait)) {
    return attemptFailed(worker.opts?.removeOnFail, attempt, reason, call, now, pause?.wait);
  }
  const until = now + pause.wait;
  const deferred = { ...call, outcome: 'deferred' } as const;
  // A destination speaks for its own jobs alone.
  const scope = destinationOf(job.opts) === undefined ? pause.defers : 'job';
  return { kind: 'deferred', reason, scope, until, call: deferred };
}

/** Makes the call of an attempt, within a span where calls are traced. */
export function makeCall(
  { webhook, attempt, cancellation, tracing }: AttemptRun,
  call: EndpointCall,
): Promise<Delivery> {
  if (tracing === undefined) return deliver(webhook, call, cancellation);
  return tracedDelivery(tracing.call(attempt, call.endpoint.url), (trace) =>
    deliver(webhook, { ...call, trace }, cancellation),
  );
}

/** Makes the delivery within a span, and adds its trace to the record of the call. */
async function tracedDelivery(
  span: CallSpan,
  deliver: (trace: TraceContext) => Promise<Delivery>,
): Promise<Delivery> {
  let made: EndedCall | undefined;
  try {
    const delivery = await deliver(span.context);
    made = delivery.call;
    const { traceId } = span;
    return traceId === undefined ? delivery : { ...delivery, call: { ...made, traceId } };
  } finally {
    span.end(made);
  }
}
