import { expect } from 'chai';
import type { Json } from '../../../src/domain/values/json.ts';
import { rejection } from '../../support/rejection.ts';
import { JSON_VALUES } from '../queue/json-values.ts';
import type { QueueHarness } from '../queue-harness.ts';
import {
  addEach,
  addOne,
  ANY,
  claimOf,
  COMPLETED,
  countsOf,
  factsOf,
  FAILED,
  findStalled,
  listed,
  NO_JOBS,
  process,
  read,
  retryAfter,
  SHORTLY,
  SOON,
  statusOf,
  take,
  takenIds,
  uniqueQueue,
} from '../queue-steps.ts';

export function describeEndings(harness: () => QueueHarness): void {
  describe('ending an attempt', () => {
    // holds: fields.completed
    it('completes the job', async () => {
      const { queues, attempts, now, advance } = harness();
      const queue = uniqueQueue();
      await addOne(queues, queue);
      const attempt = await take(attempts, queue);
      await advance(5);
      const before = now();
      const ending = { kind: 'completed', returnvalue: { ok: true } } as const;
      expect(await attempts.settle(queue, attempt, ending)).to.deep.equal({ held: true });
      const job = await read(queues, queue, attempt.job.id);
      expect(job.finishedOn).to.be.within(before, now());
      expect(job).to.deep.equal({
        ...attempt.job,
        state: 'completed',
        returnvalue: { ok: true },
        attemptsMade: 1,
        finishedOn: job.finishedOn,
      });
      expect(await countsOf(queues, queue)).to.deep.equal({ ...NO_JOBS, completed: 1 });
    });

    for (const [title, returnvalue] of JSON_VALUES) {
      it(`keeps ${title} as return value`, async () => {
        const { queues, attempts } = harness();
        const queue = uniqueQueue();
        await addOne(queues, queue);
        const id = await process(attempts, queue, { kind: 'completed', returnvalue });
        expect((await read(queues, queue, id)).returnvalue).to.deep.equal(returnvalue);
      });
    }

    // holds: fields.failed
    it('fails the job', async () => {
      const { queues, attempts, now } = harness();
      const queue = uniqueQueue();
      await addOne(queues, queue);
      const attempt = await take(attempts, queue);
      const before = now();
      const ending = { kind: 'failed', reason: 'HTTP 503 — ünavailable' } as const;
      expect(await attempts.settle(queue, attempt, ending)).to.deep.equal({ held: true });
      const job = await read(queues, queue, attempt.job.id);
      expect(job.finishedOn).to.be.within(before, now());
      expect(job).to.deep.equal({
        ...attempt.job,
        state: 'failed',
        failedReason: 'HTTP 503 — ünavailable',
        stacktrace: ['HTTP 503 — ünavailable'],
        attemptsMade: 1,
        finishedOn: job.finishedOn,
      });
      expect(await countsOf(queues, queue)).to.deep.equal({ ...NO_JOBS, failed: 1 });
    });

    for (const ending of [COMPLETED, FAILED, retryAfter(0), retryAfter(60_000)]) {
      const title = ending.kind === 'retry' ? `retry after ${String(ending.delay)}` : ending.kind;

      it(`is recorded once, though asked for twice (${title})`, async () => {
        const { queues, attempts } = harness();
        const queue = uniqueQueue();
        await addOne(queues, queue);
        const attempt = await take(attempts, queue);
        await attempts.settle(queue, attempt, ending);
        const job = await read(queues, queue, attempt.job.id);
        const counts = await countsOf(queues, queue);
        for (const again of [ending, COMPLETED, FAILED, retryAfter(0), retryAfter(1000)]) {
          const settled = await attempts.settle(queue, attempt, again);
          expect(settled).to.deep.equal({ held: false });
        }
        expect(factsOf(await queues.find(queue, job.id))).to.deep.equal(factsOf(job));
        expect(await countsOf(queues, queue)).to.deep.equal(counts);
      });

      it(`is recorded after the lock ran out (${title})`, async () => {
        const { queues, attempts, advance } = harness();
        const queue = uniqueQueue();
        await addOne(queues, queue);
        const attempt = await take(attempts, queue, SHORTLY);
        await advance(SOON);
        expect(await attempts.settle(queue, attempt, ending)).to.deep.equal({ held: true });
        expect(await read(queues, queue, attempt.job.id)).to.include({ attemptsMade: 1 });
        expect(await countsOf(queues, queue)).to.include({ active: 0 });
      });

      it(`is not recorded once the job was found stalled (${title})`, async () => {
        const { queues, attempts, advance } = harness();
        const queue = uniqueQueue();
        await addOne(queues, queue);
        const attempt = await take(attempts, queue, SHORTLY);
        await advance(SOON);
        await findStalled(harness(), queue);
        expect(await attempts.settle(queue, attempt, ending)).to.deep.equal({ held: false });
        expect(factsOf(await queues.find(queue, attempt.job.id))).to.deep.equal(
          factsOf(attempt.job),
        );
        expect(await statusOf(queues, queue, attempt.job.id)).to.deep.equal(['waiting']);
      });

      // holds: attempts.other-attempt
      it(`is not recorded once the job was started anew (${title})`, async () => {
        const { queues, attempts, advance } = harness();
        const queue = uniqueQueue();
        await addOne(queues, queue);
        const lost = await take(attempts, queue, SHORTLY);
        await advance(SOON);
        await findStalled(harness(), queue);
        const { job } = await take(attempts, queue, SHORTLY);
        await advance(SOON);
        expect(await attempts.settle(queue, lost, ending)).to.deep.equal({ held: false });
        expect(factsOf(await queues.find(queue, job.id))).to.deep.equal(factsOf(job));
        expect(await statusOf(queues, queue, job.id)).to.deep.equal(['active']);
      });

      it(`is not recorded for another job that has the id by now (${title})`, async () => {
        const { queues, attempts, advance } = harness();
        const queue = uniqueQueue();
        const opts = { jobId: 'again' };
        await addOne(queues, queue, opts);
        const lost = await take(attempts, queue, SHORTLY);
        await advance(SOON);
        await findStalled(harness(), queue);
        await process(attempts, queue, { ...COMPLETED, keep: { count: 0 } });
        await addOne(queues, queue, opts);
        const { job } = await take(attempts, queue, SHORTLY);
        await advance(SOON);
        expect(await attempts.settle(queue, lost, ending)).to.deep.equal({ held: false });
        expect(await attempts.renew(queue, [lost], 1000)).to.deep.equal([lost]);
        expect(factsOf(await queues.find(queue, 'again'))).to.deep.equal(factsOf(job));
        expect(await statusOf(queues, queue, 'again')).to.deep.equal(['active']);
      });

      // holds: attempts.other-attempt
      it(`is not recorded with the token of another attempt (${title})`, async () => {
        const { queues, attempts } = harness();
        const queue = uniqueQueue();
        await addEach(queues, queue, {}, {});
        const [first, second] = [await take(attempts, queue), await take(attempts, queue)];
        for (const token of [second.token, 'wrong', '']) {
          const settled = await attempts.settle(queue, { jobId: first.jobId, token }, ending);
          expect(settled).to.deep.equal({ held: false });
        }
        expect(factsOf(await queues.find(queue, first.job.id))).to.deep.equal(factsOf(first.job));
        expect(factsOf(await queues.find(queue, second.job.id))).to.deep.equal(factsOf(second.job));
        expect(await countsOf(queues, queue)).to.deep.equal({ ...NO_JOBS, active: 2 });
      });
    }

    // holds: attempts.token-alone
    it('is recorded for a replica other than the one that claimed', async () => {
      const { queues, attempts } = harness();
      const queue = uniqueQueue();
      const replica = await harness().replica();
      await addOne(queues, queue);
      const attempt = await take(attempts, queue);
      const settled = await replica.attempts.settle(queue, attempt, COMPLETED);
      expect(settled).to.deep.equal({ held: true });
      expect(await listed(queues, queue, 'completed')).to.deep.equal([attempt.job.id]);
    });

    for (const ending of [COMPLETED, FAILED]) {
      it(`takes the next job in the same step (${ending.kind})`, async () => {
        const { queues, attempts } = harness();
        const queue = uniqueQueue();
        const [first = '', second = ''] = await addEach(queues, queue, {}, {});
        const attempt = await take(attempts, queue, { ...ANY, concurrency: 1 });
        const { held, next } = await attempts.settle(
          queue,
          attempt,
          ending,
          claimOf({
            ...ANY,
            concurrency: 1,
          }),
        );
        expect(held).to.equal(true);
        if (next?.kind !== 'attempt') throw new Error('The next job was not taken');
        expect(next.attempt.job).to.include({ id: second, attemptsStarted: 1 });
        expect(next.attempt.token).not.to.equal(attempt.token);
        expect(factsOf(await queues.find(queue, second))).to.deep.equal(factsOf(next.attempt.job));
        expect(await statusOf(queues, queue, first)).to.deep.equal([ending.kind]);
        const settled = await attempts.settle(queue, next.attempt, COMPLETED);
        expect(settled).to.deep.equal({ held: true });
      });
    }

    it('takes no other job for an attempt that lost its job, which may have taken one before', async () => {
      const { queues, attempts, advance } = harness();
      const queue = uniqueQueue();
      const [first = '', second = ''] = await addEach(queues, queue, {}, {});
      const attempt = await take(attempts, queue, SHORTLY);
      await advance(SOON);
      await findStalled(harness(), queue);
      const settled = await attempts.settle(queue, attempt, COMPLETED, claimOf(ANY));
      expect(settled).to.deep.equal({ held: false });
      expect(await takenIds(attempts, queue)).to.deep.equal([first, second]);
    });

    it('that cannot be put into words is refused, and the attempt may end otherwise', async () => {
      const { queues, attempts } = harness();
      const queue = uniqueQueue();
      const { id } = await addOne(queues, queue);
      const attempt = await take(attempts, queue);
      const returnvalue = JSON.parse('['.repeat(50_000) + ']'.repeat(50_000)) as Json;
      const error = await rejection(
        attempts.settle(queue, attempt, { kind: 'completed', returnvalue }),
      );
      expect(error).to.be.an.instanceof(RangeError);
      expect(await statusOf(queues, queue, id)).to.deep.equal(['active']);
      expect(await attempts.settle(queue, attempt, FAILED)).to.deep.equal({ held: true });
      expect(await statusOf(queues, queue, id)).to.deep.equal(['failed']);
    });
  });

  describe('releasing an attempt', () => {
    it('puts the job back at the head, attempts made unchanged', async () => {
      const { queues, attempts } = harness();
      const queue = uniqueQueue();
      const ids = await addEach(queues, queue, {}, {}, { lifo: true });
      const attempt = await take(attempts, queue);
      await attempts.release(queue, attempt);
      const job = await read(queues, queue, attempt.job.id);
      expect(job).to.include({ attemptsMade: 0, returnvalue: null, stacktrace: null, progress: 0 });
      expect(job).not.to.have.any.keys('failedReason', 'finishedOn');
      expect(await countsOf(queues, queue)).to.deep.equal({ ...NO_JOBS, waiting: 3 });
      expect(await takenIds(attempts, queue)).to.deep.equal([ids[2], ids[0], ids[1]]);
    });

    it('puts a prioritized job ahead of its equals only', async () => {
      const { queues, attempts } = harness();
      const queue = uniqueQueue();
      const first = await addOne(queues, queue, { priority: 2 });
      const attempt = await take(attempts, queue);
      const ids = await addEach(queues, queue, { priority: 2 }, { priority: 1 }, {});
      await attempts.release(queue, attempt);
      const order = await takenIds(attempts, queue);
      expect(order).to.deep.equal([ids[2], ids[1], first.id, ids[0]]);
    });

    it('ends the attempt', async () => {
      const { queues, attempts } = harness();
      const queue = uniqueQueue();
      const { id } = await addOne(queues, queue);
      const attempt = await take(attempts, queue);
      await attempts.release(queue, attempt);
      expect(await attempts.settle(queue, attempt, COMPLETED)).to.deep.equal({ held: false });
      expect(await attempts.renew(queue, [attempt], 1000)).to.deep.equal([attempt]);
      const again = await take(attempts, queue);
      expect(again.job.id).to.equal(id);
      expect(again.token).not.to.equal(attempt.token);
    });

    it('puts the job back after the lock ran out', async () => {
      const { queues, attempts, advance } = harness();
      const queue = uniqueQueue();
      const ids = await addEach(queues, queue, {}, {});
      const attempt = await take(attempts, queue, SHORTLY);
      await advance(SOON);
      await attempts.release(queue, attempt);
      expect(await takenIds(attempts, queue)).to.deep.equal(ids);
    });

    it('changes nothing for an attempt that has ended or lost its job', async () => {
      const { queues, attempts, advance } = harness();
      const queue = uniqueQueue();
      await addEach(queues, queue, {}, {});
      const ended = await take(attempts, queue);
      await attempts.settle(queue, ended, COMPLETED);
      const lost = await take(attempts, queue, SHORTLY);
      await advance(SOON);
      await findStalled(harness(), queue);
      const again = await take(attempts, queue, SHORTLY);
      await advance(SOON);
      for (const attempt of [ended, lost]) await attempts.release(queue, attempt);
      expect(await statusOf(queues, queue, ended.job.id)).to.deep.equal(['completed']);
      expect(await statusOf(queues, queue, again.job.id)).to.deep.equal(['active']);
    });
  });
}
