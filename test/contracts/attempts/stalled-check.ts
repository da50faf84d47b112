import type { QueueName } from '../../../src/domain/queues/queue-name.ts';
import { expect } from 'chai';
import type { Retention } from '../../../src/domain/jobs/job-retention.ts';
import type { QueueHarness, QueueReplica } from '../queue-harness.ts';
import {
  addEach,
  addOne,
  ANY,
  claimOf,
  COMPLETED,
  HOUR,
  jobOf,
  read,
  SHORTLY,
  SOON,
  statusOf,
  take,
  takeAll,
  takenIds,
  uniqueQueue,
  STALLED_GRACE,
  type ClaimTerms,
} from '../queue-steps.ts';

const REASON = 'job stalled more than allowable limit';

export function describeStalledCheck(harness: () => QueueHarness): void {
  /** A check that counts, none having been made shortly before. */
  const check = async (
    queue: QueueName,
    maxStalledCount = 1,
    { attempts }: QueueReplica = harness(),
  ): Promise<readonly string[]> => {
    await harness().advance(2 * STALLED_GRACE);
    return (await attempts.recoverStalled(queue, maxStalledCount)).stalled;
  };

  /** Takes the next job, loses its lock and makes the checks that find it. */
  const stall = async (queue: QueueName, maxStalledCount = 1): Promise<readonly string[]> => {
    await take(harness().attempts, queue, SHORTLY);
    await harness().advance(SOON);
    expect(await check(queue, maxStalledCount)).to.deep.equal([]);
    return check(queue, maxStalledCount);
  };

  /** Takes the job that must fail, as the next one, and lets it. */
  const failNext = async (
    queue: QueueName,
    id: string,
    keep?: Retention,
    terms?: ClaimTerms,
  ): Promise<void> => {
    const { attempts } = harness();
    const attempt = await take(attempts, queue, terms);
    expect(attempt).to.include({ mustFail: REASON });
    expect(attempt.job.id).to.equal(id);
    const ending = { kind: 'failed', reason: REASON, keep } as const;
    expect(await attempts.settle(queue, attempt, ending)).to.deep.equal({ held: true });
  };

  describe('stalled check', () => {
    it('puts 1,000 jobs back at a time, and says to be made again at once for others', async () => {
      const { queues, attempts, advance, now } = harness();
      const queue = uniqueQueue();
      await queues.add(
        queue,
        Array.from({ length: 1100 }, () => jobOf()),
      );
      const taken = await takeAll(attempts, queue, { ...SHORTLY, concurrency: 2000 });
      const ids = taken.map(({ jobId }) => jobId);
      await advance(SOON);
      expect(await check(queue)).to.deep.equal([]);
      await advance(2 * STALLED_GRACE);
      const { stalled, checkAgainAt } = await attempts.recoverStalled(queue, 1);
      expect(stalled).to.deep.equal(ids.slice(100).reverse());
      expect(checkAgainAt).to.be.at.most(now());
      const others = await attempts.recoverStalled(queue, 1);
      expect(others).to.deep.equal({ stalled: ids.slice(0, 100).reverse() });
      expect((await take(attempts, queue)).jobId).to.equal(ids[0]);
    });

    // holds: states.stalled
    it('puts a job without a lock back at the head, attempts made unchanged', async () => {
      const { queues, attempts } = harness();
      const queue = uniqueQueue();
      const [first = '', second = ''] = await addEach(queues, queue, {}, {});
      expect(await stall(queue)).to.deep.equal([first]);
      const job = await read(queues, queue, first);
      expect(job).to.include({ attemptsMade: 0, stacktrace: null, returnvalue: null });
      expect(job).not.to.have.any.keys('failedReason', 'finishedOn');
      expect(await statusOf(queues, queue, first)).to.deep.equal(['waiting']);
      const again = await take(attempts, queue);
      expect(again.job).to.include({ id: first, attemptsStarted: 2, attemptsMade: 0 });
      expect(await takenIds(attempts, queue)).to.deep.equal([second]);
      await attempts.settle(queue, again, COMPLETED);
      expect(await statusOf(queues, queue, first)).to.deep.equal(['completed']);
    });

    it('finds a job on the second check that it is without a lock', async () => {
      const { queues, attempts } = harness();
      const queue = uniqueQueue();
      const { id } = await addOne(queues, queue);
      await take(attempts, queue, SHORTLY);
      await harness().advance(SOON);
      expect(await check(queue)).to.deep.equal([]);
      expect(await statusOf(queues, queue, id)).to.deep.equal(['active']);
      expect(await check(queue)).to.deep.equal([id]);
      expect(await check(queue)).to.deep.equal([]);
    });

    it('finds what another replica left behind', async () => {
      const { queues, attempts } = harness();
      const queue = uniqueQueue();
      const replica = await harness().replica();
      const { id } = await addOne(queues, queue);
      await take(attempts, queue, SHORTLY);
      await harness().advance(SOON);
      expect(await check(queue, 1, harness())).to.deep.equal([]);
      expect(await check(queue, 1, replica)).to.deep.equal([id]);
    });

    it('leaves jobs alone whose lock is held', async () => {
      const { queues, attempts } = harness();
      const queue = uniqueQueue();
      const { id } = await addOne(queues, queue);
      const attempt = await take(attempts, queue);
      for (let turn = 0; turn < 3; turn += 1) expect(await check(queue)).to.deep.equal([]);
      expect(await statusOf(queues, queue, id)).to.deep.equal(['active']);
      expect(await attempts.settle(queue, attempt, COMPLETED)).to.deep.equal({ held: true });
    });

    it('starts over with a job whose lock was renewed since the check before', async () => {
      const { queues, attempts } = harness();
      const queue = uniqueQueue();
      const { id } = await addOne(queues, queue);
      const attempt = await take(attempts, queue, SHORTLY);
      await harness().advance(SOON);
      expect(await check(queue)).to.deep.equal([]);
      expect(await attempts.renew(queue, [attempt], 20)).to.deep.equal([]);
      await harness().advance(SOON);
      expect(await check(queue)).to.deep.equal([]);
      expect(await statusOf(queues, queue, id)).to.deep.equal(['active']);
      expect(await check(queue)).to.deep.equal([id]);
    });

    it('gives those time that lost their locks in an outage of the store', async () => {
      const { queues, attempts } = harness();
      const queue = uniqueQueue();
      const { id } = await addOne(queues, queue);
      const attempt = await take(attempts, queue, { ...ANY, lockDuration: 1000 });
      expect(await check(queue)).to.deep.equal([]);
      await harness().advance(1100);
      expect(await check(queue)).to.deep.equal([]);
      expect(await statusOf(queues, queue, id)).to.deep.equal(['active']);
      expect(await attempts.settle(queue, attempt, COMPLETED)).to.deep.equal({ held: true });
    });

    it('leaves jobs alone whose attempt ended since the check before', async () => {
      const { queues, attempts } = harness();
      const queue = uniqueQueue();
      const [completed = '', released = ''] = await addEach(queues, queue, {}, {});
      const first = await take(attempts, queue, SHORTLY);
      const second = await take(attempts, queue, SHORTLY);
      await harness().advance(SOON);
      expect(await check(queue)).to.deep.equal([]);
      await attempts.settle(queue, first, COMPLETED);
      await attempts.release(queue, second);
      expect(await check(queue)).to.deep.equal([]);
      expect(await statusOf(queues, queue, completed)).to.deep.equal(['completed']);
      expect(await statusOf(queues, queue, released)).to.deep.equal(['waiting']);
    });

    it('puts all that stalled back ahead of the waiting jobs, in the order of their starts', async () => {
      const { queues, attempts } = harness();
      const queue = uniqueQueue();
      const ids = await addEach(queues, queue, {}, {}, {}, {});
      for (let turn = 0; turn < 3; turn += 1) await take(attempts, queue, SHORTLY);
      await harness().advance(SOON);
      await check(queue);
      expect(await check(queue)).to.deep.equal(ids.slice(0, 3).toReversed());
      expect(await takenIds(attempts, queue)).to.deep.equal(ids);
    });

    it('ends the attempt for good', async () => {
      const { queues, attempts } = harness();
      const queue = uniqueQueue();
      await addOne(queues, queue);
      const lost = await take(attempts, queue, SHORTLY);
      await harness().advance(SOON);
      await check(queue);
      await check(queue);
      const again = await take(attempts, queue);
      expect(again.job.id).to.equal(lost.job.id);
      expect(await attempts.renew(queue, [lost], HOUR)).to.deep.equal([lost]);
      expect(await attempts.settle(queue, lost, COMPLETED)).to.deep.equal({ held: false });
      expect(await queues.find(queue, again.job.id)).to.deep.equal(again.job);
      expect(await attempts.settle(queue, again, COMPLETED)).to.deep.equal({ held: true });
    });

    it('frees the place that the job took', async () => {
      const { queues, attempts } = harness();
      const queue = uniqueQueue();
      const { id } = await addOne(queues, queue);
      const request = { ...SHORTLY, concurrency: 1 };
      await take(attempts, queue, request);
      await harness().advance(SOON);
      await check(queue);
      expect((await attempts.claim(queue, claimOf(request))).kind).to.equal('idle');
      await check(queue);
      expect((await take(attempts, queue, request)).job.id).to.equal(id);
    });

    for (const maxStalledCount of [0, 1, 2]) {
      // holds: worker-options.stalled-count, states.stalled-too-often, errors.stalled-too-often
      it(`fails a job that stalled more than ${String(maxStalledCount)} times`, async () => {
        const { queues, attempts, now } = harness();
        const queue = uniqueQueue();
        const { id } = await addOne(queues, queue);
        for (let stalls = 1; stalls <= maxStalledCount; stalls += 1) {
          expect(await stall(queue, maxStalledCount)).to.deep.equal([id]);
          expect(await statusOf(queues, queue, id)).to.deep.equal(['waiting']);
        }
        const before = now();
        expect(await stall(queue, maxStalledCount)).to.deep.equal([id]);
        await failNext(queue, id);
        expect((await attempts.claim(queue, claimOf(ANY))).kind).to.equal('idle');
        expect(await statusOf(queues, queue, id)).to.deep.equal(['failed']);
        const job = await read(queues, queue, id);
        expect(job.failedReason).to.equal(REASON);
        expect(job.finishedOn).to.be.within(before, now());
      });
    }

    it('has the job fail ahead of the next one, whatever its attempts', async () => {
      const { queues, attempts } = harness();
      const queue = uniqueQueue();
      const [first = '', second = ''] = await addEach(queues, queue, { attempts: 5 }, {});
      await stall(queue, 0);
      await failNext(queue, first);
      expect(await takenIds(attempts, queue)).to.deep.equal([second]);
      expect(await statusOf(queues, queue, first)).to.deep.equal(['failed']);
    });

    it('says so of a job that must fail until it has failed', async () => {
      const { queues, attempts } = harness();
      const queue = uniqueQueue();
      const { id } = await addOne(queues, queue);
      await stall(queue, 0);
      await attempts.release(queue, await take(attempts, queue));
      await failNext(queue, id, { count: 0 });
      expect(await queues.find(queue, id)).to.equal(undefined);
    });

    it('has a job fail that the limiter need not count', async () => {
      const { queues, attempts } = harness();
      const queue = uniqueQueue();
      const [stalled = '', next] = await addEach(queues, queue, {}, {});
      await stall(queue, 0);
      const once = { ...ANY, limiter: { max: 1, duration: HOUR } };
      await failNext(queue, stalled, undefined, claimOf(once));
      expect((await take(attempts, queue, once)).job.id).to.equal(next);
    });

    it('counts once within the grace, whichever replica makes it', async () => {
      const { queues, attempts, now } = harness();
      const queue = uniqueQueue();
      const replica = await harness().replica();
      const { id } = await addOne(queues, queue);
      await take(attempts, queue, SHORTLY);
      await harness().advance(SOON);
      // The clock of the suite may stand still while that of the store goes on.
      const time = (): number => now() + performance.now();
      const checkedAt = time();
      const checks = [attempts, attempts, replica.attempts].map((each) =>
        each.recoverStalled(queue, 1),
      );
      for (const { stalled } of await Promise.all(checks)) {
        // On a machine that stood still in between a second check counts.
        if (time() - checkedAt < STALLED_GRACE) expect(stalled).to.deep.equal([]);
        else expect(stalled.every((each) => each === id)).to.equal(true);
      }
    });

    it('says when to check again while it suspects a job', async () => {
      const { queues, attempts, now, advance } = harness();
      const queue = uniqueQueue();
      const replica = await harness().replica();
      const { id } = await addOne(queues, queue);
      await take(attempts, queue, SHORTLY);
      await advance(SOON);
      const before = now();
      const { stalled, checkAgainAt } = await attempts.recoverStalled(queue, 1);
      expect(stalled).to.deep.equal([]);
      expect(checkAgainAt).to.be.within(before + STALLED_GRACE, now() + STALLED_GRACE);
      await advance(2 * STALLED_GRACE);
      expect(await replica.attempts.recoverStalled(queue, 1)).to.deep.equal({ stalled: [id] });
      await advance(2 * STALLED_GRACE);
      expect(await attempts.recoverStalled(queue, 1)).to.deep.equal({ stalled: [] });
    });

    it('finds nothing in a queue without jobs', async () => {
      const queue = uniqueQueue();
      expect(await check(queue)).to.deep.equal([]);
      expect(await check(queue)).to.deep.equal([]);
    });
  });
}
