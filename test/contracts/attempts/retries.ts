import { expect } from 'chai';
import type { QueueHarness } from '../queue-harness.ts';
import {
  addEach,
  addOne,
  ANY,
  claimOf,
  COMPLETED,
  countsOf,
  FAILED,
  NO_JOBS,
  pick,
  process,
  read,
  retryAfter,
  take,
  takenIds,
  uniqueQueue,
} from '../queue-steps.ts';

export function describeRetries(harness: () => QueueHarness): void {
  describe('retrying', () => {
    // holds: states.failed
    it('keeps the reason and counts the attempt', async () => {
      const { queues, attempts } = harness();
      const queue = uniqueQueue();
      await addOne(queues, queue, { attempts: 3 });
      const attempt = await take(attempts, queue);
      const settled = await attempts.settle(queue, attempt, retryAfter(0, 'first reason'));
      expect(settled).to.deep.equal({ held: true });
      const job = await read(queues, queue, attempt.job.id);
      expect(job).to.deep.equal({
        ...attempt.job,
        state: 'waiting',
        failedReason: 'first reason',
        stacktrace: ['first reason'],
        attemptsMade: 1,
      });
      expect(await countsOf(queues, queue)).to.deep.equal({ ...NO_JOBS, waiting: 1 });
    });

    it('goes to the tail of the waiting jobs', async () => {
      const { queues, attempts } = harness();
      const queue = uniqueQueue();
      const ids = await addEach(queues, queue, {}, {}, { priority: 1 });
      await process(attempts, queue, retryAfter(0));
      ids.push(...(await addEach(queues, queue, {})));
      expect(await takenIds(attempts, queue)).to.deep.equal(pick(ids, 1, 0, 3, 2));
    });

    it('goes to the head when the job is a lifo one', async () => {
      const { queues, attempts } = harness();
      const queue = uniqueQueue();
      const ids = await addEach(queues, queue, {}, { lifo: true });
      const attempt = await take(attempts, queue);
      ids.push(...(await addEach(queues, queue, {}, { lifo: true })));
      await attempts.settle(queue, attempt, retryAfter(0));
      expect(await takenIds(attempts, queue)).to.deep.equal(pick(ids, 1, 3, 0, 2));
    });

    it('goes behind its equals when the job has a priority', async () => {
      const { queues, attempts } = harness();
      const queue = uniqueQueue();
      const ids = await addEach(queues, queue, ...[2, 2, 3].map((priority) => ({ priority })));
      await process(attempts, queue, retryAfter(0));
      expect(await countsOf(queues, queue)).to.deep.equal({ ...NO_JOBS, prioritized: 3 });
      ids.push(...(await addEach(queues, queue, {})));
      expect(await takenIds(attempts, queue)).to.deep.equal(pick(ids, 3, 1, 0, 2));
    });

    // holds: adding.retries-first
    it('waits for its delay, then goes ahead of waiting jobs', async () => {
      const { queues, attempts, advance, now } = harness();
      const queue = uniqueQueue();
      await addOne(queues, queue, { attempts: 3, backoff: { type: 'fixed', delay: 50 } });
      const attempt = await take(attempts, queue);
      const before = now();
      await attempts.settle(queue, attempt, retryAfter(50, 'later'));
      const after = now();
      const { id } = attempt.job;
      expect(await read(queues, queue, id)).to.deep.equal({
        ...attempt.job,
        state: 'delayed',
        failedReason: 'later',
        stacktrace: ['later'],
        attemptsMade: 1,
        delay: 50,
      });
      expect(await countsOf(queues, queue)).to.deep.equal({ ...NO_JOBS, delayed: 1 });
      const claim = await attempts.claim(queue, claimOf(ANY));
      if (claim.kind !== 'idle') throw new Error('The job was taken early');
      expect(claim.nextAt).to.be.within(before + 50, after + 50);
      const ids = await addEach(queues, queue, {}, { lifo: true }, { priority: 1 });
      await advance(60);
      const again = await take(attempts, queue);
      expect(again.job).to.include({ id, delay: 0, attemptsStarted: 2, attemptsMade: 1 });
      expect(await takenIds(attempts, queue)).to.deep.equal(pick(ids, 1, 0, 2));
    });

    it('takes deferred jobs in the order they fall due, mixed with delayed ones', async () => {
      const { queues, attempts, advance } = harness();
      const queue = uniqueQueue();
      const ids = await addEach(queues, queue, {}, {}, {});
      for (const delay of [40, 10, 30]) await process(attempts, queue, retryAfter(delay));
      ids.push(...(await addEach(queues, queue, { delay: 20 })));
      await advance(60);
      expect(await takenIds(attempts, queue)).to.deep.equal(pick(ids, 1, 3, 2, 0));
    });

    it('joins the prioritized jobs after its delay when the job has a priority', async () => {
      const { queues, attempts, advance } = harness();
      const queue = uniqueQueue();
      const ids = await addEach(queues, queue, ...[2, 2, 3].map((priority) => ({ priority })));
      await process(attempts, queue, retryAfter(10));
      await advance(20);
      expect(await takenIds(attempts, queue)).to.deep.equal(pick(ids, 1, 0, 2));
    });

    it('keeps the reasons of earlier attempts after a success', async () => {
      const { queues, attempts } = harness();
      const queue = uniqueQueue();
      const { id } = await addOne(queues, queue, { attempts: 3 });
      await process(attempts, queue, retryAfter(0, 'one'));
      await process(attempts, queue, retryAfter(0, 'two'));
      await process(attempts, queue, COMPLETED);
      const job = await read(queues, queue, id);
      expect(job).to.include({ failedReason: 'two', attemptsMade: 3, attemptsStarted: 3 });
      expect(job.stacktrace).to.deep.equal(['one', 'two']);
    });

    it('keeps the last ten reasons', async () => {
      const { queues, attempts } = harness();
      const queue = uniqueQueue();
      const { id } = await addOne(queues, queue, { attempts: 20 });
      const reasons = Array.from({ length: 13 }, (_, index) => `reason ${String(index)}`);
      for (const reason of reasons) await process(attempts, queue, retryAfter(0, reason));
      await process(attempts, queue, FAILED);
      const job = await read(queues, queue, id);
      expect(job).to.include({ failedReason: 'it broke', attemptsMade: 14 });
      expect(job.stacktrace).to.deep.equal([...reasons, 'it broke'].slice(-10));
    });

    it('takes another job in the same step, or leaves it to the next claim', async () => {
      const { queues, attempts } = harness();
      for (const delay of [0, 60_000]) {
        const queue = uniqueQueue();
        const [, second = ''] = await addEach(queues, queue, {}, {});
        const attempt = await take(attempts, queue);
        const request = { ...ANY, concurrency: 1 };
        const { held, next } = await attempts.settle(
          queue,
          attempt,
          retryAfter(delay),
          claimOf(request),
        );
        expect(held).to.equal(true);
        const claim = next ?? (await attempts.claim(queue, claimOf(request)));
        if (claim.kind !== 'attempt') throw new Error('The next job was not taken');
        expect(claim.attempt.job.id).to.equal(second);
      }
    });
  });
}
