import type { Retention } from '../jobs/job-retention.ts';
import type { Job } from '../jobs/job.ts';
import {
  DEFAULT_VISIBILITY,
  receiveWaitShape,
  visibilityShape,
  type MessagePolicy,
  type Redrive,
} from '../policies/message-policy.ts';
import type { QueueName } from '../queues/queue-name.ts';
import { checkShape } from '../values/check-shape.ts';
import { integer, object, optional, type Shaped } from '../values/shape.ts';
import type { AttemptKey } from './attempt.ts';
import type { AttemptEnding } from './ending.ts';
import type { JobClaim } from './job-claim.ts';

/** What a client asks for that receives messages. */
const receiveShape = object('Receive', {
  count: optional(integer(1, 10), 'Most messages to receive; 1 unless given'),
  wait: optional(receiveWaitShape, 'Milliseconds to wait for the first one'),
  visibility: optional(visibilityShape, 'Milliseconds that they are in flight'),
});

export type Receive = Shaped<typeof receiveShape>;

/** One receive of a message, as the client that received it names it. */
export interface Receipt extends AttemptKey {
  /** Which receive of the message it is, from 1: `attemptsStarted` of its job. */
  readonly receives: number;
}

/**
 * The claim of a client that receives messages.
 *
 * @param policy of the queue, for what the client leaves out.
 * @throws DomainError `invalid-request` naming the field.
 */
export function receiveClaim(input: Receive, policy: MessagePolicy = {}): JobClaim {
  checkShape(receiveShape, input, '');
  const { count = 1, wait = policy.wait ?? 0 } = input;
  const { visibility: lock = policy.visibility ?? DEFAULT_VISIBILITY } = input;
  return { count, wait, lock, isReceived: true };
}

/**
 * The ending of an attempt by which a client received a message, when it is visible again before it was deleted: the
 * receive counts as no attempt, and the message is the next one of its group. Without a group it is the next one of all,
 * but behind the others if its client gave it up: otherwise a client that gives up the same message each time would get
 * no other. If it was received as often as it may be, it fails and goes to the dead letter queue (reach contract, section
 * 21).
 *
 * @param place `ahead` when its time is over, `behind` when its client gave it up.
 * @param redrive of the policy of the queue; without one a message may be received any number of times.
 * @param keep the rule of the worker for failed jobs, if the queue has one.
 */
export function visibleAgain(
  { attemptsStarted: receives }: Pick<Job, 'attemptsStarted'>,
  place: 'ahead' | 'behind',
  redrive: Redrive | undefined,
  keep: Retention | undefined,
  now: number,
): AttemptEnding {
  if (redrive === undefined || receives < redrive.maxReceives) {
    const call = { outcome: 'deferred' } as const;
    return { kind: 'deferred', reason: 'Visible again', scope: 'job', until: now, place, call };
  }
  const reason = `Received ${receives} ${receives === 1 ? 'time' : 'times'}`;
  // The policy was checked when it was stored.
  const deadLetterQueue = redrive.queue as QueueName;
  return { kind: 'failed', reason, keep, call: { outcome: 'timeout' }, deadLetterQueue };
}
