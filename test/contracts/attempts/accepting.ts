import { expect } from 'chai';
import type { OverdueAttempt } from '../../../src/domain/attempts/acceptance.ts';
import type { QueueName } from '../../../src/domain/queues/queue-name.ts';
import type { QueueHarness, QueueReplica } from '../queue-harness.ts';
import {
  addEach,
  addOne,
  ANY,
  claimOf,
  COMPLETED,
  FAILED,
  findStalled,
  read,
  SHORTLY,
  STALLED_GRACE,
  statusOf,
  take,
  uniqueQueue,
} from '../queue-steps.ts';

const BOUND = 5000;

export function describeAccepting(harness: () => QueueHarness): void {
  /** Those of one queue: tests share the store. */
  const overdue = async (
    queue: QueueName,
    { attempts }: QueueReplica = harness(),
  ): Promise<readonly OverdueAttempt[]> =>
    (await attempts.overdue()).found.filter((each) => each.queue === queue);

  describe('an accepted job', () => {
    // holds: deferred.accept, deferred.concurrency
    it('is held by its token alone, counts as active, and completes through any replica', async () => {
      const { queues, attempts, advance } = harness();
      const { attempts: others } = await harness().replica();
      const queue = uniqueQueue();
      const [id] = await addEach(queues, queue, {}, {});
      const attempt = await take(attempts, queue, SHORTLY);
      expect(await attempts.accept(queue, attempt, BOUND)).to.equal(true);
      await advance(BOUND - 1);
      expect(await findStalled(harness(), queue)).to.deep.equal([]);
      const oneAtATime = { ...ANY, concurrency: 1 };
      expect((await attempts.claim(queue, claimOf(oneAtATime))).kind).to.equal('idle');
      expect(await others.reportProgress(queue, attempt, 50)).to.equal(true);
      const done = { kind: 'completed', returnvalue: 7, call: { outcome: 'completed' } } as const;
      expect(await others.reportEnding(queue, attempt, done)).to.equal('recorded');
      expect(await read(queues, queue, id!)).to.include({ state: 'completed', returnvalue: 7 });
      expect((await queues.attempts(queue, id!))?.count).to.equal(1);
      await take(attempts, queue, oneAtATime);
      await advance(BOUND);
      expect(await overdue(queue)).to.deep.equal([]);
    });

    // holds: deferred.overdue
    it('is overdue when its time is over, for the first that asks, and for another later if that one does nothing', async () => {
      const { queues, attempts, advance } = harness();
      const replica = await harness().replica();
      const queue = uniqueQueue();
      const { id } = await addOne(queues, queue, {}, { some: 'data' });
      const attempt = await take(attempts, queue);
      await attempts.accept(queue, attempt, BOUND);
      await advance(BOUND - 100);
      expect(await overdue(queue)).to.deep.equal([]);
      await advance(100);
      const [found, ...more] = await overdue(queue);
      expect(more).to.deep.equal([]);
      expect(found).to.deep.include({ queue, bound: BOUND });
      expect(found!.attempt).to.include({ jobId: id, token: attempt.token });
      expect(found!.attempt.job).to.deep.include({ id, data: { some: 'data' }, attemptsMade: 0 });
      expect(await overdue(queue, replica)).to.deep.equal([]);
      await advance(2 * STALLED_GRACE);
      expect(await findStalled(harness(), queue)).to.deep.equal([]);
      const [again] = await overdue(queue, replica);
      expect(again).to.deep.include({ queue, bound: BOUND });
      expect(await attempts.settle(queue, again!.attempt, FAILED)).to.deep.equal({ held: true });
      expect(await attempts.reportEnding(queue, attempt, COMPLETED)).to.equal('refused');
      await advance(2 * STALLED_GRACE);
      expect(await overdue(queue, replica)).to.deep.equal([]);
    });

    // holds: deferred.extend
    it('has the time that it is given later, more or less', async () => {
      const { queues, attempts, advance } = harness();
      const { attempts: others } = await harness().replica();
      const queue = uniqueQueue();
      await addEach(queues, queue, {}, {});
      const [longer, shorter] = [await take(attempts, queue), await take(attempts, queue)];
      for (const attempt of [longer, shorter]) await attempts.accept(queue, attempt, BOUND);
      await advance(1000);
      expect(await others.extend(queue, longer, 2 * BOUND)).to.equal(true);
      expect(await others.extend(queue, shorter, 1000)).to.equal(true);
      await advance(1000);
      const early = await overdue(queue);
      expect(early.map(({ attempt, bound }) => [attempt.jobId, bound])).to.deep.equal([
        [shorter.jobId, 2000],
      ]);
      await attempts.settle(queue, shorter, COMPLETED);
      await advance(2 * BOUND - 1000);
      const late = await overdue(queue);
      expect(late.map(({ attempt, bound }) => [attempt.jobId, bound])).to.deep.equal([
        [longer.jobId, 2 * BOUND + 1000],
      ]);
    });

    // holds: deferred.overtaken
    it('is none when its completion came first, or it was cancelled', async () => {
      const { queues, attempts, jobControl, advance } = harness();
      const queue = uniqueQueue();
      await addEach(queues, queue, {}, {}, {});
      const completed = await take(attempts, queue);
      await attempts.reportEnding(queue, completed, COMPLETED);
      expect(await attempts.accept(queue, completed, BOUND)).to.equal(false);
      const cancelled = await take(attempts, queue);
      await attempts.accept(queue, cancelled, BOUND);
      expect(await jobControl.cancel(queue, cancelled.jobId, { reason: 'no' })).to.deep.equal({
        kind: 'done',
      });
      expect(await attempts.reportEnding(queue, cancelled, COMPLETED)).to.equal('refused');
      const released = await take(attempts, queue);
      await attempts.accept(queue, released, BOUND);
      expect(await attempts.reportRelease(queue, released, 0)).to.equal('recorded');
      const again = await take(attempts, queue);
      await advance(BOUND);
      expect(await overdue(queue)).to.deep.equal([]);
      expect(await statusOf(queues, queue, again.jobId)).to.deep.equal(['active']);
    });
  });
}
