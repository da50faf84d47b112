import { expect } from 'chai';
import type { ExpiryPort } from '../../src/application/ports/expiry-port.ts';
import type { QueueName } from '../../src/domain/queues/queue-name.ts';
import type { QueueHarness } from './queue-harness.ts';
import {
  addEach,
  addOne,
  ANY,
  claimOf,
  COMPLETED,
  countsOf,
  jobOf,
  listed,
  NO_JOBS,
  pick,
  process,
  read,
  retryAfter,
  take,
  takenIds,
  uniqueQueue,
} from './queue-steps.ts';
import { isVolumePlayedOn } from './played-on.ts';

/** What every ExpiryPort promises, and the claims of the same store. */
export function describeExpiryPort(name: string, createHarness: () => Promise<QueueHarness>): void {
  describe(`ExpiryPort: ${name}`, () => {
    let harness: QueueHarness;

    before(async () => {
      harness = await createHarness();
    });

    after(() => harness.dispose());

    /** Makes rounds until there is nothing left to do. @returns how many jobs of the queue failed. */
    async function sweep(queue: QueueName, expiry: ExpiryPort = harness.expiry): Promise<number> {
      let count = 0;
      for (let isDone = false; !isDone;) {
        const round = await expiry.expireDue();
        for (const expired of round.expired) {
          if (expired.queue !== queue) continue;
          count += expired.jobs.length;
          for (const { id, reason } of expired.jobs) {
            expect((await read(harness.queues, queue, id)).failedReason).to.equal(reason);
          }
        }
        ({ isDone } = round);
      }
      return count;
    }

    const EXPIRED = { state: 'failed', failedReason: 'Expired after 1000 ms', attemptsMade: 0 };

    // holds: ttl.claim
    it('lets a claim fail the job whose time is over, and take the next', async () => {
      const { queues, attempts, advance } = harness;
      const queue = uniqueQueue();
      const ids = await addEach(queues, queue, { ttl: 1000 }, { ttl: 1000 }, {}, { ttl: 1001 });
      await advance(1000);
      const { jobId } = await take(attempts, queue);
      expect(jobId).to.equal(ids[2]);
      for (const id of pick(ids, 0, 1)) expect(await read(queues, queue, id)).to.include(EXPIRED);
      expect(await takenIds(attempts, queue)).to.deep.equal(pick(ids, 3));
      expect(await countsOf(queues, queue)).to.deep.equal({ ...NO_JOBS, active: 2, failed: 2 });
      expect(await read(queues, queue, ids[0]!)).to.include({ attemptsStarted: 0 });
    });

    for (const terms of [ANY, { ...ANY, limiter: { max: 100, duration: 1000 } }]) {
      const kind = 'limiter' in terms ? 'with a limiter' : 'without a limiter';

      // holds: ttl.claim
      it(`lets no claim have a job whose time is over, ${kind}`, async () => {
        const { queues, attempts, advance } = harness;
        const queue = uniqueQueue();
        await addEach(queues, queue, { ttl: 1000 }, { ttl: 1000, priority: 3 });
        await addEach(queues, queue, { ttl: 1000, delay: 900 }, { ttl: 1000, lifo: true });
        await advance(1000);
        for (let claims = 0; claims < 5; claims += 1) {
          const claim = await attempts.claim(queue, claimOf(terms));
          expect(claim).to.deep.equal({ kind: 'idle' });
        }
        expect(await countsOf(queues, queue)).to.deep.equal({ ...NO_JOBS, failed: 4 });
      });

      // holds: ttl.claim
      it(`lets no ending claim a job whose time is over, ${kind}`, async () => {
        const { queues, attempts, advance } = harness;
        const queue = uniqueQueue();
        await addEach(queues, queue, {}, {}, { ttl: 1000 }, { ttl: 1000 });
        const one = await take(attempts, queue, terms);
        const other = await take(attempts, queue, terms);
        await advance(1000);
        const retry = retryAfter(5000);
        for (const [attempt, ending] of [
          [one, COMPLETED],
          [other, retry],
        ] as const) {
          const settled = await attempts.settle(queue, attempt, ending, claimOf(terms));
          expect(settled.held).to.equal(true);
          expect(settled.next?.kind).not.to.equal('attempt');
        }
        const counts = { ...NO_JOBS, completed: 1, delayed: 1, failed: 2 };
        expect(await countsOf(queues, queue)).to.deep.equal(counts);
      });
    }

    // holds: ttl.claim
    it('reports each job that a claim failed to one sweep', async () => {
      const { queues, attempts, advance } = harness;
      const queue = uniqueQueue();
      await addEach(queues, queue, { ttl: 1000 }, { ttl: 1000 }, { ttl: 2000 });
      await advance(1000);
      await process(attempts, queue, COMPLETED);
      await advance(1000);
      expect(await sweep(queue)).to.equal(2);
      expect(await sweep(queue)).to.equal(0);
    });

    // holds: ttl.first-attempt
    it('leaves a job alone that started in time', async () => {
      const { queues, attempts, advance } = harness;
      const queue = uniqueQueue();
      const ids = await addEach(queues, queue, { ttl: 1000 }, { ttl: 1000, attempts: 2 });
      await advance(999);
      await process(attempts, queue, COMPLETED);
      await process(attempts, queue, retryAfter(500));
      await advance(10_000);
      expect(await sweep(queue)).to.equal(0);
      expect(await takenIds(attempts, queue)).to.deep.equal(pick(ids, 1));
    });

    // holds: ttl.sweep
    it('fails the jobs that nobody claims, wherever they wait', async () => {
      const { queues, queueControl, advance } = harness;
      const queue = uniqueQueue();
      await queueControl.pause(queue);
      const [before] = await addEach(queues, queue, {});
      const expiring = { ttl: 1000 };
      const ids = [
        ...(await addEach(queues, queue, expiring, { ...expiring, lifo: true })),
        ...(await addEach(queues, queue, { ...expiring, priority: 3 })),
        ...(await addEach(queues, queue, { ...expiring, delay: 90_000 })),
      ];
      const later = await addEach(queues, queue, {}, { ttl: 1001 }, { delay: 1 });
      expect(await sweep(queue)).to.equal(0);
      await advance(1000);
      expect(await sweep(queue)).to.equal(4);
      for (const id of ids) expect(await read(queues, queue, id)).to.include(EXPIRED);
      const counts = { ...NO_JOBS, waiting: 3, delayed: 1, failed: 4 };
      expect(await countsOf(queues, queue)).to.deep.equal(counts);
      expect(await listed(queues, queue, 'waiting')).to.have.members([
        before,
        ...pick(later, 0, 1),
      ]);
      await advance(1);
      expect(await sweep(queue)).to.equal(1);
      expect(await sweep(queue)).to.equal(0);
    });

    if (isVolumePlayedOn(name)) {
      // holds: ttl.sweep
      it('finds those that wait among many others, and keeps the order of these', async () => {
        const { queues, attempts, advance } = harness;
        const queue = uniqueQueue();
        const jobs = Array.from({ length: 1700 }, (_, n) =>
          jobOf(n % 7 === 0 || n > 1600 ? { ttl: 1000 } : {}, n),
        );
        await queues.add(queue, jobs);
        await advance(1000);
        const left = jobs.filter(({ opts }) => opts.ttl === undefined).map(({ data }) => data);
        expect(await sweep(queue)).to.equal(jobs.length - left.length);
        expect(await countsOf(queues, queue)).to.include({ waiting: left.length });
        const taken: unknown[] = [];
        for (let count = 0; count < 30; count += 1)
          taken.push((await take(attempts, queue)).job.data);
        expect(taken).to.deep.equal(left.slice(0, 30));
      });
    }

    // holds: ttl.sweep
    it('fails each job once, however many replicas sweep', async () => {
      const { queues, advance } = harness;
      const queue = uniqueQueue();
      await addEach(queues, queue, ...Array.from({ length: 30 }, () => ({ ttl: 1000 })));
      const other = await harness.replica();
      await advance(1000);
      const counts = await Promise.all([sweep(queue), sweep(queue, other.expiry), sweep(queue)]);
      expect(counts.reduce((sum, count) => sum + count)).to.equal(30);
      expect(await countsOf(queues, queue)).to.deep.equal({ ...NO_JOBS, failed: 30 });
    });

    it('leaves the job alone that has the id of one that is gone', async () => {
      const { queues, attempts, jobControl, advance } = harness;
      const queue = uniqueQueue();
      await addOne(queues, queue, { jobId: 'same', ttl: 1000 });
      await jobControl.remove(queue, 'same');
      await addOne(queues, queue, { jobId: 'same' });
      await advance(1000);
      expect(await sweep(queue)).to.equal(0);
      expect(await takenIds(attempts, queue)).to.deep.equal(['same']);
    });

    it('lets an expired job start when it is retried by hand', async () => {
      const { queues, attempts, jobControl, advance } = harness;
      const queue = uniqueQueue();
      const { id } = await addOne(queues, queue, { ttl: 1000 });
      await advance(1000);
      expect(await sweep(queue)).to.equal(1);
      await jobControl.retry(queue, id, {});
      expect(await sweep(queue)).to.equal(0);
      expect(await takenIds(attempts, queue)).to.deep.equal([id]);
    });

    it('leaves a job alone that was cancelled, and lets it start when it is retried by hand', async () => {
      const { queues, attempts, jobControl, advance } = harness;
      const queue = uniqueQueue();
      const { id } = await addOne(queues, queue, { ttl: 1000 });
      await jobControl.cancel(queue, id, { reason: 'Cancelled' });
      await advance(1000);
      expect(await sweep(queue)).to.equal(0);
      expect(await read(queues, queue, id)).to.include({ failedReason: 'Cancelled' });
      await jobControl.retry(queue, id, {});
      expect(await takenIds(attempts, queue)).to.deep.equal([id]);
    });

    it('goes by what the job says of those that failed', async () => {
      const { queues, attempts, advance } = harness;
      const queue = uniqueQueue();
      const ids = await addEach(
        queues,
        queue,
        { ttl: 1000 },
        { ttl: 1000, removeOnFail: true },
        { ttl: 1000, removeOnFail: true },
      );
      await advance(1000);
      expect((await attempts.claim(queue, claimOf(ANY))).kind).to.equal('idle');
      expect(await sweep(queue)).to.equal(1);
      const [last] = await addEach(queues, queue, { ttl: 1, removeOnFail: 1 });
      expect(await listed(queues, queue, 'failed')).to.deep.equal(pick(ids, 0));
      await advance(1);
      expect(await sweep(queue)).to.equal(1);
      expect(await listed(queues, queue, 'failed')).to.deep.equal([last]);
    });
  });
}
