import { expect } from 'chai';
import type { QueueHarness } from '../queue-harness.ts';
import {
  addEach,
  addOne,
  ANY,
  claimOf,
  COMPLETED,
  SHORTLY,
  SOON,
  STALLED_GRACE,
  take,
  takeAll,
  uniqueQueue,
  type ClaimTerms,
} from '../queue-steps.ts';

const PULLED: ClaimTerms = { isPulled: true, lockDuration: ANY.lockDuration };
const LIMITED: ClaimTerms = { ...PULLED, limiter: { max: 100, duration: 1000 } };

export function describePulling(harness: () => QueueHarness): void {
  describe('pulling', () => {
    for (const [kind, terms] of [
      ['without a limit', PULLED],
      ['within a limit', LIMITED],
    ] as const) {
      // holds: pull.order, pull.no-limits
      it(`takes jobs in the order of all claims, as many as there are, ${kind}`, async () => {
        const { queues, attempts } = harness();
        const queue = uniqueQueue();
        const ids = await addEach(queues, queue, { priority: 2 }, {}, { priority: 1 }, {});
        await addEach(queues, queue, ...Array.from({ length: 20 }, () => ({ priority: 9 })));
        const taken = await takeAll(attempts, queue, terms);
        expect(taken.slice(0, 4).map(({ jobId }) => jobId)).to.deep.equal(
          [1, 3, 2, 0].map((position) => ids[position]),
        );
        expect(taken).to.have.lengthOf(24);
      });

      // holds: pull.stalled
      it(`makes the queue known to those who look for stalled jobs, ${kind}`, async () => {
        const { queues, attempts, advance } = harness();
        const { attempts: others } = await harness().replica();
        const queue = uniqueQueue();
        expect((await attempts.claim(queue, claimOf(terms))).kind).to.equal('idle');
        expect(await others.pulledQueues()).not.to.include(queue);
        await addOne(queues, queue);
        const attempt = await take(attempts, queue, terms);
        expect(await others.pulledQueues()).to.include(queue);
        await others.recoverStalled(queue, 1);
        expect(await others.pulledQueues()).to.include(queue);
        await attempts.settle(queue, attempt, COMPLETED);
        await advance(2 * STALLED_GRACE);
        await others.recoverStalled(queue, 1);
        expect(await others.pulledQueues()).not.to.include(queue);
      });
    }

    // holds: pull.concurrency
    it('counts for the concurrency of calls, and is bound by one itself', async () => {
      const { queues, attempts } = harness();
      const queue = uniqueQueue();
      await addEach(queues, queue, {}, {}, {});
      const pulled = await take(attempts, queue, PULLED);
      const oneCall = { ...ANY, concurrency: 1 };
      expect((await attempts.claim(queue, claimOf(oneCall))).kind).to.equal('idle');
      const onePull = { ...PULLED, concurrency: 1 };
      expect((await attempts.claim(queue, claimOf(onePull))).kind).to.equal('idle');
      await attempts.settle(queue, pulled, COMPLETED);
      await take(attempts, queue, onePull);
    });

    it('makes no queue known that is only called for', async () => {
      const { queues, attempts } = harness();
      const queue = uniqueQueue();
      await addOne(queues, queue);
      await take(attempts, queue, SHORTLY);
      await harness().advance(SOON);
      expect(await attempts.pulledQueues()).not.to.include(queue);
    });
  });
}
