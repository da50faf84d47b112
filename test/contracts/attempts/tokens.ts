import type { QueueName } from '../../../src/domain/queues/queue-name.ts';
import { expect } from 'chai';
import type { AttemptKey } from '../../../src/domain/attempts/attempt.ts';
import type { QueueHarness } from '../queue-harness.ts';
import {
  addEach,
  addOne,
  ANY,
  claimOf,
  COMPLETED,
  countsOf,
  FAILED,
  HOUR,
  logsOf,
  read,
  retryAfter,
  SHORTLY,
  SOON,
  take,
  uniqueQueue,
} from '../queue-steps.ts';

/** All that can be asked for with a token, each answering whether the attempt held its job. */
const STEPS: readonly (readonly [
  name: string,
  step: (harness: QueueHarness, queue: QueueName, attempt: AttemptKey) => Promise<boolean>,
])[] = [
  ...[COMPLETED, FAILED, retryAfter(0), retryAfter(HOUR)].map(
    (ending) =>
      [
        `settle as ${ending.kind}${'delay' in ending ? ` after ${String(ending.delay)} ms` : ''}`,
        async ({ attempts }: QueueHarness, queue: QueueName, attempt: AttemptKey) =>
          (await attempts.settle(queue, attempt, ending)).held,
      ] as const,
  ),
  [
    'renew',
    async ({ attempts }, queue, attempt) =>
      (await attempts.renew(queue, [attempt], HOUR)).length === 0,
  ],
  [
    'release',
    async ({ queues, attempts }, queue, attempt) => {
      await attempts.release(queue, attempt);
      return (await countsOf(queues, queue))['active'] === 0;
    },
  ],
  ['report progress', ({ attempts }, queue, attempt) => attempts.reportProgress(queue, attempt, 1)],
  ['be asked for', ({ attempts }, queue, attempt) => attempts.holds(queue, attempt)],
  ['add a log line', ({ attempts }, queue, attempt) => attempts.addLog(queue, attempt, 'line')],
];

export function describeTokens(harness: () => QueueHarness): void {
  describe('an attempt whose lock ran out', () => {
    for (const [name, step] of STEPS) {
      // holds: attempts.made-up
      it(`is not anybody's who makes a token up (${name})`, async () => {
        const { queues, attempts, advance } = harness();
        const queue = uniqueQueue();
        await addOne(queues, queue, { attempts: 3 });
        const { jobId, job, token } = await take(attempts, queue, SHORTLY);
        await advance(SOON);
        const madeUp = { jobId, token: claimOf(ANY).token };
        expect(await step(harness(), queue, madeUp)).to.equal(false);
        expect(await read(queues, queue, jobId)).to.deep.equal(job);
        expect(await logsOf(queues, queue, jobId)).to.deep.equal({ count: 0, logs: [] });
        expect(await countsOf(queues, queue)).to.include({ active: 1 });
        const settled = await attempts.settle(queue, { jobId, token }, COMPLETED);
        expect(settled).to.deep.equal({ held: true });
      });

      // holds: attempts.token-alone
      it(`may still ${name}, on any replica, by its token alone`, async () => {
        const { queues, attempts, advance } = harness();
        const queue = uniqueQueue();
        const replica = await harness().replica();
        await addOne(queues, queue, { attempts: 3 });
        const { jobId, token } = await take(attempts, queue, SHORTLY);
        await advance(SOON);
        const key = { jobId, token };
        expect(await step({ ...harness(), ...replica }, queue, key)).to.equal(true);
      });
    }
  });

  describe('a claim whose answer was lost', () => {
    // holds: attempts.claimed-again
    it('gives the same attempt to a client that claims again with its token', async () => {
      const { queues, attempts } = harness();
      const queue = uniqueQueue();
      const replica = await harness().replica();
      await addEach(queues, queue, {}, {}, {});
      const request = { ...claimOf(ANY), isRepeated: true };
      const claim = await attempts.claim(queue, request);
      await take(attempts, queue);
      for (const each of [attempts, replica.attempts]) {
        expect(await each.claim(queue, request)).to.deep.equal(claim);
      }
      expect(await countsOf(queues, queue)).to.include({ active: 2, waiting: 1 });
    });

    // holds: attempts.claimed-again
    it('gives it after its lock ran out, too', async () => {
      const { queues, attempts, advance } = harness();
      const queue = uniqueQueue();
      await addEach(queues, queue, {}, {});
      const request = { ...claimOf(SHORTLY), isRepeated: true };
      const claim = await attempts.claim(queue, request);
      await advance(SOON);
      expect(await attempts.claim(queue, request)).to.deep.equal(claim);
    });

    // holds: attempts.next-claim
    it('takes the next job when that attempt has ended', async () => {
      const { queues, attempts } = harness();
      const queue = uniqueQueue();
      const [, second] = await addEach(queues, queue, {}, {});
      const request = { ...claimOf(ANY), isRepeated: true };
      const claim = await attempts.claim(queue, request);
      if (claim.kind !== 'attempt') throw new Error('There is no job');
      await attempts.settle(queue, claim.attempt, COMPLETED);
      const next = await attempts.claim(queue, request);
      expect(next.kind === 'attempt' && next.attempt.jobId).to.equal(second);
    });
  });
}
