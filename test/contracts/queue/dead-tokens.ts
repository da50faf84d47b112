import type { QueueName } from '../../../src/domain/queues/queue-name.ts';
import type { AttemptEnding } from '../../../src/domain/attempts/ending.ts';
import type { QueueHarness } from '../queue-harness.ts';
import {
  addOne,
  ANY,
  claimOf,
  COMPLETED,
  FAILED,
  findStalled,
  retryAfter,
  SHORTLY,
  SOON,
  take,
  uniqueQueue,
} from '../queue-steps.ts';

interface DeadToken {
  readonly id: string;
  readonly token: string;
}

/** Ways to come by a token that is not that of the job's running attempt, and the job's id. */
export const DEAD_TOKENS: readonly (readonly [
  title: string,
  tokenOf: (harness: QueueHarness, queue: QueueName) => Promise<DeadToken>,
])[] = [
  ['a wrong token', (harness, queue) => altered(harness, queue, () => 'wrong')],
  ['an empty token', (harness, queue) => altered(harness, queue, () => '')],
  ['the start of the token', (harness, queue) => altered(harness, queue, (t) => t.slice(0, -1))],
  ['more than the token', (harness, queue) => altered(harness, queue, (t) => `${t}A`)],
  ['a token for a job that never started', notStarted],
  ['the token of a completed attempt', (harness, queue) => ended(harness, queue, COMPLETED)],
  ['the token of a failed attempt', (harness, queue) => ended(harness, queue, FAILED)],
  ['the token of a retried attempt', (harness, queue) => ended(harness, queue, retryAfter(0))],
  ['the token of a deferred attempt', (harness, queue) => ended(harness, queue, retryAfter(9000))],
  ['the token of a released attempt', released],
  ['the token of the attempt before', attemptBefore],
  ['the token of an attempt whose job was found stalled', stalled],
  ['a made-up token after the lock ran out', madeUp],
  ['the token of the job of that id in another queue', otherQueue],
];

async function altered(
  { queues, attempts }: QueueHarness,
  queue: QueueName,
  alter: (token: string) => string,
): Promise<DeadToken> {
  await addOne(queues, queue);
  const { job, token } = await take(attempts, queue);
  return { id: job.id, token: alter(token) };
}

async function notStarted({ queues }: QueueHarness, queue: QueueName): Promise<DeadToken> {
  return { id: (await addOne(queues, queue)).id, token: '' };
}

async function ended(
  { queues, attempts }: QueueHarness,
  queue: QueueName,
  ending: AttemptEnding,
): Promise<DeadToken> {
  await addOne(queues, queue);
  const attempt = await take(attempts, queue);
  await attempts.settle(queue, attempt, ending);
  return { id: attempt.job.id, token: attempt.token };
}

async function released({ queues, attempts }: QueueHarness, queue: QueueName): Promise<DeadToken> {
  await addOne(queues, queue);
  const attempt = await take(attempts, queue);
  await attempts.release(queue, attempt);
  return { id: attempt.job.id, token: attempt.token };
}

async function attemptBefore(harness: QueueHarness, queue: QueueName): Promise<DeadToken> {
  const dead = await ended(harness, queue, retryAfter(0));
  await take(harness.attempts, queue);
  return dead;
}

async function stalled(harness: QueueHarness, queue: QueueName): Promise<DeadToken> {
  await addOne(harness.queues, queue);
  const { jobId, token } = await take(harness.attempts, queue, SHORTLY);
  await harness.advance(SOON);
  await findStalled(harness, queue);
  return { id: jobId, token };
}

async function madeUp(harness: QueueHarness, queue: QueueName): Promise<DeadToken> {
  await addOne(harness.queues, queue);
  const { jobId } = await take(harness.attempts, queue, SHORTLY);
  await harness.advance(SOON);
  return { id: jobId, token: claimOf(ANY).token };
}

async function otherQueue(
  { queues, attempts }: QueueHarness,
  queue: QueueName,
): Promise<DeadToken> {
  const other = uniqueQueue();
  for (const name of [queue, other]) await addOne(queues, name, { jobId: 'same' });
  await take(attempts, queue, ANY);
  const { token } = await take(attempts, other, ANY);
  return { id: 'same', token };
}
