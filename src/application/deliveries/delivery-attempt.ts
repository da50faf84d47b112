import {
  attemptFailed,
  failedForGood,
  reasonNotToStart,
  type AttemptEnding,
} from '../../domain/attempts/ending.ts';
import { retryAfter } from '../../domain/calls/retry-after.ts';
import { KEPT_DELIVERIES, pauseAfter } from '../../domain/deliveries/delivery-options.ts';
import type { AttemptRun } from '../calls/attempt-runner.ts';
import type { Delivery } from '../../domain/attempts/made-call.ts';
import { deliver } from '../calls/deliver.ts';
import type { AttemptResult } from '../ports/attempt-observer.ts';
import { untilStoreAnswers } from '../running/until-store-answers.ts';
import type { Outgoing, Sender } from './outgoing-message.ts';

const GONE = 410;

/** The reason for which a receiver that answers 410 gets no more messages. */
const GONE_REASON = 'The receiver answered 410 Gone';

/**
 * Makes one attempt at a delivery (reach contract, section 17: any 2xx is success, `Retry-After` sets the pause and
 * counts as an attempt, 410 means that the receiver wants no more).
 *
 * @throws ReplicaShortageError when the call could not be made.
 */
export async function runDelivery(sender: Sender, run: AttemptRun): Promise<AttemptResult> {
  const { webhook, attempt, cancellation, clock } = run;
  const mustFail = reasonNotToStart(attempt, clock.now());
  const outgoing: Outgoing | undefined =
    mustFail === undefined
      ? await whileNeeded(run, () => sender.outgoing(attempt.job))
      : { kind: 'fail', reason: mustFail };
  if (outgoing?.kind === 'drop') {
    return { ending: { kind: 'completed', returnvalue: null, keep: { count: 0 } } };
  }
  if (outgoing?.kind !== 'send') return notSent(sender, run, outgoing?.reason ?? 'Given up');
  const { endpoint, message } = outgoing;
  const delivery = await deliver(webhook, { endpoint, message }, cancellation);
  const { outcome, call } = delivery;
  if (!outcome.succeeded) return notDelivered(sender, run, delivery, outcome.reason);
  const ending = { kind: 'completed', returnvalue: null, keep: KEPT_DELIVERIES, call } as const;
  return { ending, status: call.status };
}

async function notSent(sender: Sender, run: AttemptRun, reason: string): Promise<AttemptResult> {
  const { attempt, clock } = run;
  const pause = pauseAfter(attempt.job.attemptsMade + 1, undefined);
  const call = { outcome: 'failed' } as const;
  const ending = attemptFailed(KEPT_DELIVERIES, attempt, reason, call, clock.now(), pause);
  return { ending: await announced(sender, run, ending) };
}

async function notDelivered(
  sender: Sender,
  run: AttemptRun,
  { outcome, call, answer }: Delivery,
  reason: string,
): Promise<AttemptResult> {
  const { attempt, clock } = run;
  const isGone = answer?.status === GONE;
  const isFinal = !outcome.succeeded && outcome.final === true;
  const asked = answer && retryAfter(answer, clock.now());
  const pause = pauseAfter(attempt.job.attemptsMade + 1, asked);
  const ending =
    isFinal || (isGone && !sender.pausesWhenGone)
      ? failedForGood(KEPT_DELIVERIES, reason, call)
      : attemptFailed(KEPT_DELIVERIES, attempt, reason, call, clock.now(), pause);
  return {
    ending: await announced(sender, run, ending),
    status: answer?.status,
    ...(isGone && sender.pausesWhenGone && { disables: GONE_REASON }),
  };
}

/** Says that a delivery fails for good before that is recorded: what dies in between says it again, and no replica forgets it. */
async function announced(
  sender: Sender,
  run: AttemptRun,
  ending: AttemptEnding,
): Promise<AttemptEnding> {
  if (ending.kind === 'failed') {
    await whileNeeded(run, () => sender.failing(run.attempt.job, ending.reason));
  }
  return ending;
}

function whileNeeded<Answer>(
  { clock, cancellation }: AttemptRun,
  work: () => Promise<Answer>,
): Promise<Answer | undefined> {
  return untilStoreAnswers(clock, () => !cancellation.isRequested, work);
}
