import { expect } from 'chai';
import { eventually } from '../../support/eventually.ts';
import type { QueueName } from '../../../src/domain/queues/queue-name.ts';
import type { QueueHarness } from '../queue-harness.ts';
import {
  claimOf,
  COMPLETED,
  countsOf,
  FAILED,
  HOUR,
  addEach,
  pick,
  retryAfter,
  take,
  uniqueQueue,
} from '../queue-steps.ts';
import { addLetters, inGroup, letterOf, settleNext, starts, within } from './group-steps.ts';

const NEVER = new AbortController().signal;
const SKIP = within({ ordered: 'skip' });
const BLOCK = within({ ordered: 'block' });

export function describeOrderedGroups(harness: () => QueueHarness): void {
  describe('ordered groups', () => {
    let queue: QueueName;

    beforeEach(() => {
      queue = uniqueQueue();
    });

    it('runs one job of a group at a time, whatever its concurrency, and jobs without a group at once', async () => {
      const { queues, attempts } = harness();
      await addLetters(queues, queue, 'aab--');
      const terms = within({ ordered: 'skip', concurrency: 5 });
      expect(await starts(attempts, queue, terms)).to.equal('ab--');
    });

    it('holds the group for a retry, which comes first as it is due, but not for a delayed job', async () => {
      const { queues, attempts, groups, advance, now } = harness();
      const ids = await addEach(
        queues,
        queue,
        inGroup('a'),
        inGroup('a', { delay: 10 }),
        inGroup('a'),
      );
      expect(await settleNext(attempts, queue, retryAfter(0), SKIP)).to.equal(ids[0]);
      expect(await settleNext(attempts, queue, retryAfter(1000), SKIP)).to.equal(ids[0]);
      await advance(100);
      const claim = await attempts.claim(queue, claimOf(SKIP));
      if (claim.kind !== 'idle') throw new Error(claim.kind);
      expect(claim.nextAt).to.be.within(now(), now() + 1000);
      const blocked = (await groups.find(queue, 'a', { ordered: 'skip' }))?.blocked;
      expect(blocked).to.deep.equal({ reason: 'failed-job', until: claim.nextAt, job: ids[0] });
      await advance(1000);
      const order = await settleNext(attempts, queue, COMPLETED, SKIP);
      expect(order).to.equal(ids[0]);
    });

    it('frees the group when its retried job is promoted, cancelled or removed', async () => {
      const { queues, attempts, jobControl } = harness();
      const [first = '', second = '', third = '', fourth] = await addLetters(queues, queue, 'aaaa');
      await settleNext(attempts, queue, retryAfter(HOUR), SKIP);
      expect(await starts(attempts, queue, SKIP)).to.equal('');
      await jobControl.promote(queue, first);
      expect(await settleNext(attempts, queue, COMPLETED, SKIP)).to.equal(first);
      await settleNext(attempts, queue, retryAfter(HOUR), SKIP);
      await jobControl.cancel(queue, second, { reason: 'over', keep: {} });
      expect(await settleNext(attempts, queue, retryAfter(HOUR), SKIP)).to.equal(third);
      await jobControl.remove(queue, third);
      expect((await take(attempts, queue, SKIP)).job.id).to.equal(fourth);
    });

    it('passes over a job that failed for good, or is blocked by it until it is retried at the head', async () => {
      const { queues, attempts, jobControl, groups } = harness();
      await addLetters(queues, queue, 'aa');
      await settleNext(attempts, queue, FAILED, SKIP);
      expect(await starts(attempts, queue, SKIP)).to.equal('a');
      queue = uniqueQueue();
      const ids = await addLetters(queues, queue, 'aab');
      const [first = ''] = ids;
      await settleNext(attempts, queue, FAILED, BLOCK);
      expect(letterOf(await take(attempts, queue, BLOCK))).to.equal('b');
      expect((await attempts.claim(queue, claimOf(BLOCK))).kind).to.equal('idle');
      const blocked = (await groups.find(queue, 'a', { ordered: 'block' }))?.blocked;
      expect(blocked).to.deep.equal({ reason: 'failed-job', job: first });
      await jobControl.retry(queue, first, {});
      expect(await settleNext(attempts, queue, COMPLETED, BLOCK)).to.equal(first);
      expect((await take(attempts, queue, BLOCK)).job.id).to.deep.equal(pick(ids, 1)[0]);
    });

    it('is unblocked when its failed job is removed or cancelled', async () => {
      const { queues, attempts, jobControl } = harness();
      const [first = ''] = await addEach(
        queues,
        queue,
        inGroup('a'),
        inGroup('a', { removeOnFail: true }),
        inGroup('a'),
        inGroup('a'),
      );
      await settleNext(attempts, queue, FAILED, BLOCK);
      expect(await starts(attempts, queue, BLOCK)).to.equal('');
      await jobControl.remove(queue, first);
      await settleNext(attempts, queue, FAILED, BLOCK);
      const cancelled = await take(attempts, queue, { ...BLOCK, isPulled: true });
      await jobControl.cancel(queue, cancelled.job.id, { reason: 'over', keep: {} });
      expect(await starts(attempts, queue, BLOCK)).to.equal('a');
    });

    it('is overtaken neither where a job is deferred by itself nor where it is released for a time', async () => {
      const { queues, attempts, advance, now } = harness();
      const [first, second] = await addLetters(queues, queue, 'aa');
      const call = { outcome: 'deferred' } as const;
      const until = now() + 1000;
      const deferred = { kind: 'deferred', reason: 'later', scope: 'job', until, call } as const;
      await settleNext(attempts, queue, deferred, SKIP);
      expect(await starts(attempts, queue, SKIP)).to.equal('');
      await advance(1000);
      const again = await take(attempts, queue, SKIP);
      expect(again.job.id).to.equal(first);
      await attempts.reportRelease(queue, again, 1000);
      expect(await starts(attempts, queue, SKIP)).to.equal('');
      await advance(1000);
      expect(await settleNext(attempts, queue, COMPLETED, SKIP)).to.equal(first);
      expect((await take(attempts, queue, SKIP)).job.id).to.equal(second);
    });

    it('is held by a job that is to be tried again although the time of that is changed', async () => {
      const { queues, attempts, jobControl, advance } = harness();
      const [first = ''] = await addLetters(queues, queue, 'aa');
      await settleNext(attempts, queue, retryAfter(HOUR), SKIP);
      await jobControl.change(queue, first, { delay: 1000 });
      expect(await starts(attempts, queue, SKIP)).to.equal('');
      await advance(1000);
      expect((await take(attempts, queue, SKIP)).job.id).to.equal(first);
    });

    it('is blocked by a job that did not start in time, found by a claim or by a sweep', async () => {
      const { queues, attempts, expiry, advance, groups } = harness();
      const options = [{}, { ttl: 1000 }, {}].map((opts) => inGroup('a', opts));
      const [, late = ''] = await addEach(queues, queue, ...options);
      const first = await take(attempts, queue, BLOCK);
      await advance(2000);
      await attempts.settle(queue, first, COMPLETED);
      expect(await starts(attempts, queue, BLOCK)).to.equal('');
      const blocked = (await groups.find(queue, 'a', { ordered: 'block' }))?.blocked;
      expect(blocked).to.deep.equal({ reason: 'failed-job', job: late });
      queue = uniqueQueue();
      await addEach(queues, queue, inGroup('a'), inGroup('b'), inGroup('b', { ttl: 1000 }));
      await addLetters(queues, queue, 'b');
      expect(await starts(attempts, queue, BLOCK)).to.equal('ab');
      await advance(2000);
      await eventually('the job has expired', async () => {
        await expiry.expireDue();
        return (await countsOf(queues, queue))['failed'] === 1;
      });
      expect((await groups.find(queue, 'b', { ordered: 'block' }))?.blocked?.reason).to.equal(
        'failed-job',
      );
    });

    it('is blocked by a job that did not start in time, although nothing waited at the last claim', async () => {
      const { queues, attempts, expiry, advance, groups } = harness();
      await addEach(queues, queue, inGroup('a', { delay: 1000, ttl: 1000 }));
      expect(await starts(attempts, queue, BLOCK)).to.equal('');
      await addLetters(queues, queue, 'a');
      await advance(2000);
      await eventually('the job has expired', async () => {
        await expiry.expireDue();
        return (await countsOf(queues, queue))['failed'] === 1;
      });
      const blocked = (await groups.find(queue, 'a', { ordered: 'block' }))?.blocked;
      expect(blocked?.reason).to.equal('failed-job');
    });

    for (const end of ['cancelled', 'removed', 'promoted'] as const) {
      it(`goes on at once, and wakes those that wait, as the job that it waits for is ${end}`, async () => {
        const { queues, attempts, jobControl, advance, now } = harness();
        const [first = '', second] = await addLetters(queues, queue, 'aa');
        await settleNext(attempts, queue, retryAfter(HOUR), SKIP);
        expect(await starts(attempts, queue, SKIP)).to.equal('');
        const usedUp = attempts.waitForJobs(queue, now() + 20, NEVER);
        await advance(20);
        await usedUp;
        const woken = attempts.waitForJobs(queue, now() + HOUR, NEVER);
        if (end === 'cancelled') {
          await jobControl.cancel(queue, first, { reason: 'over', keep: {} });
        } else if (end === 'removed') await jobControl.remove(queue, first);
        else await jobControl.promote(queue, first);
        await woken;
        const next = await take(attempts, queue, SKIP);
        expect(next.job.id).to.equal(end === 'promoted' ? first : second);
      });
    }
  });
}
