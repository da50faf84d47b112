import { expect } from 'chai';
import { JOB_STATUSES } from '../../../src/domain/jobs/job-status.ts';
import type { QueueHarness } from '../queue-harness.ts';
import { addOne, countsOf, NO_JOBS, take, uniqueQueue } from '../queue-steps.ts';

export function describeSummary(harness: () => QueueHarness): void {
  describe('the summary of a queue', () => {
    it('is empty where nothing is', async () => {
      const { queues } = harness();
      expect(await queues.summary(uniqueQueue())).to.deep.equal({ counts: NO_JOBS });
    });

    it('has the counts of a list', async () => {
      const { queues, attempts } = harness();
      const queue = uniqueQueue();
      for (const opts of [{}, {}, {}, { priority: 3 }, { delay: 60_000 }]) {
        await addOne(queues, queue, opts);
      }
      await take(attempts, queue);
      const { counts } = await queues.summary(queue);
      expect(counts).to.deep.equal(await countsOf(queues, queue));
      expect(JOB_STATUSES.map((status) => counts[status])).to.deep.equal([1, 2, 1, 1, 0, 0]);
    });

    it('returns since when the oldest of the waiting jobs waits, and forgets those that started', async () => {
      const { queues, attempts, advance } = harness();
      const queue = uniqueQueue();
      const first = await addOne(queues, queue);
      await advance(5);
      const second = await addOne(queues, queue);
      await advance(5);
      await addOne(queues, queue);
      expect((await queues.summary(queue)).waitingSince).to.equal(first.timestamp);
      await take(attempts, queue);
      expect((await queues.summary(queue)).waitingSince).to.equal(second.timestamp);
      expect(second.timestamp).to.be.above(first.timestamp);
    });

    it('finds the oldest of jobs that were added last in, first out', async () => {
      const { queues, advance } = harness();
      const queue = uniqueQueue();
      const first = await addOne(queues, queue, { lifo: true });
      await advance(5);
      await addOne(queues, queue, { lifo: true });
      expect((await queues.summary(queue)).waitingSince).to.equal(first.timestamp);
    });

    it('finds the job that higher priorities keep waiting', async () => {
      const { queues, advance } = harness();
      const queue = uniqueQueue();
      const first = await addOne(queues, queue, { priority: 9 });
      for (const priority of [9, 1, 5]) {
        await advance(5);
        await addOne(queues, queue, { priority });
      }
      expect((await queues.summary(queue)).waitingSince).to.equal(first.timestamp);
    });

    it('finds the job that was put back at the head of the last priority', async () => {
      const { queues, attempts, advance } = harness();
      const queue = uniqueQueue();
      const first = await addOne(queues, queue, { priority: 2 });
      const attempt = await take(attempts, queue);
      await advance(5);
      await addOne(queues, queue, { priority: 1 });
      await attempts.release(queue, attempt);
      expect((await queues.summary(queue)).waitingSince).to.equal(first.timestamp);
    });

    it('counts from the end of the delay', async () => {
      const { queues, attempts, advance } = harness();
      const queue = uniqueQueue();
      const { timestamp } = await addOne(queues, queue, { delay: 50, priority: 4 });
      await addOne(queues, queue, { delay: 51, priority: 1 });
      expect((await queues.summary(queue)).waitingSince).to.equal(undefined);
      await advance(60);
      // A claim puts those that are due among the prioritized jobs, and takes the first.
      await take(attempts, queue);
      expect((await queues.summary(queue)).waitingSince).to.equal(timestamp + 50);
    });
  });
}
