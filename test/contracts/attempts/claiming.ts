import { expect } from 'chai';
import { rounds } from '../../support/lane.ts';
import type { JobOptionsInput } from '../../../src/domain/jobs/job-options.ts';
import type { QueueHarness } from '../queue-harness.ts';
import {
  addEach,
  addOne,
  ANY,
  claimOf,
  countsOf,
  factsOf,
  jobOf,
  NO_JOBS,
  pick,
  read,
  take,
  takeAll,
  takenIds,
  uniqueQueue,
} from '../queue-steps.ts';
import { isVolumePlayedOn } from '../played-on.ts';

const LOWEST: JobOptionsInput = { priority: 2_097_152 };
const LAST_IN: JobOptionsInput = { lifo: true };

const ORDERS: readonly (readonly [
  title: string,
  options: readonly JobOptionsInput[],
  order: readonly number[],
])[] = [
  ['first in, first out', [{}, {}, {}], [0, 1, 2]],
  // holds: options.lifo
  ['lifo jobs ahead of those that wait', [{}, {}, LAST_IN], [2, 0, 1]],
  ['of several lifo jobs the last one first', [{}, LAST_IN, {}, LAST_IN], [3, 1, 0, 2]],
  // holds: options.priority
  [
    'priorities from the lowest number up',
    [{ priority: 3 }, { priority: 1 }, { priority: 2 }],
    [1, 2, 0],
  ],
  [
    'first in, first out within a priority',
    [{ priority: 2 }, { priority: 1 }, { priority: 2 }, { priority: 1 }],
    [1, 3, 0, 2],
  ],
  // holds: options.priority
  [
    'the highest priority numbers last, in their order',
    [LOWEST, { priority: 2_097_151 }, LOWEST, { priority: 1 }, LOWEST],
    [3, 1, 0, 2, 4],
  ],
  // holds: options.no-priority
  [
    'jobs without a priority ahead of prioritized ones',
    [{ priority: 1 }, {}, LOWEST, { priority: 0 }],
    [1, 3, 0, 2],
  ],
];

const MANY = rounds(1000, 150);

export function describeClaiming(harness: () => QueueHarness, store: string): void {
  describe('claiming', () => {
    for (const [title, options, order] of ORDERS) {
      it(`takes ${title}`, async () => {
        const { queues, attempts } = harness();
        const queue = uniqueQueue();
        const ids = await addEach(queues, queue, ...options);
        expect(await takenIds(attempts, queue)).to.deep.equal(pick(ids, ...order));
      });

      it(`takes ${title}, added as one batch`, async () => {
        const { queues, attempts } = harness();
        const queue = uniqueQueue();
        const jobs = await queues.add(
          queue,
          options.map((opts) => jobOf(opts)),
        );
        const ids = jobs.map(({ id }) => id);
        expect(await takenIds(attempts, queue)).to.deep.equal(pick(ids, ...order));
      });
    }

    if (isVolumePlayedOn(store)) {
      it('keeps the order of many jobs', async () => {
        const { queues, attempts } = harness();
        const queue = uniqueQueue();
        const jobs = await queues.add(
          queue,
          Array.from({ length: MANY }, () => jobOf()),
        );
        const ids = jobs.map(({ id }) => id);
        expect(await takenIds(attempts, queue)).to.deep.equal(ids);
      });
    }

    // holds: fields.active
    it('makes the job active and returns it as it is then', async () => {
      const { queues, attempts, now, advance } = harness();
      const queue = uniqueQueue();
      const added = await addOne(queues, queue, { attempts: 3 }, { n: 1 });
      await advance(5);
      const before = now();
      const { job } = await take(attempts, queue);
      expect(job.processedOn).to.be.within(before, now());
      expect(job).to.deep.equal({
        ...added,
        state: 'active',
        attemptsStarted: 1,
        processedOn: job.processedOn,
      });
      expect(factsOf(await queues.find(queue, job.id))).to.deep.equal(factsOf(job));
      expect(await countsOf(queues, queue)).to.deep.equal({ ...NO_JOBS, active: 1 });
    });

    // holds: job-token.random
    it('gives each attempt a token of its own that cannot be derived from another', async () => {
      const { queues, attempts } = harness();
      const queue = uniqueQueue();
      await queues.add(
        queue,
        Array.from({ length: 100 }, () => jobOf()),
      );
      const tokens = (await takeAll(attempts, queue)).map(({ token }) => token);
      // 22 characters carry 128 bits when each carries 6.
      for (const token of tokens) expect(token).to.match(/^[\w-]{22,}$/);
      for (const part of [
        (token: string) => token.slice(0, 8),
        (token: string) => token.slice(-8),
      ]) {
        expect(new Set(tokens.map(part))).to.have.lengthOf(100);
      }
    });

    it('keeps the token out of the job', async () => {
      const { queues, attempts } = harness();
      const queue = uniqueQueue();
      await addOne(queues, queue);
      const { job, token } = await take(attempts, queue);
      expect(JSON.stringify(job)).not.to.include(token);
      expect(JSON.stringify(await read(queues, queue, job.id))).not.to.include(token);
    });

    it('is idle where no job is', async () => {
      const { queues, attempts } = harness();
      const queue = uniqueQueue();
      expect(await attempts.claim(queue, claimOf(ANY))).to.deep.equal({ kind: 'idle' });
      await addOne(queues, queue);
      await take(attempts, queue);
      expect(await attempts.claim(queue, claimOf(ANY))).to.deep.equal({ kind: 'idle' });
    });

    it('gives every job to one of the replicas that claim at the same time', async () => {
      const { queues, attempts } = harness();
      const queue = uniqueQueue();
      const replica = await harness().replica();
      const jobs = await queues.add(
        queue,
        Array.from({ length: 50 }, () => jobOf()),
      );
      const claims = await Promise.all(
        Array.from({ length: 80 }, (_, index) =>
          (index % 2 === 0 ? attempts : replica.attempts).claim(queue, claimOf(ANY)),
        ),
      );
      const taken = claims.flatMap((claim) =>
        claim.kind === 'attempt' ? [claim.attempt.job.id] : [],
      );
      expect(taken.toSorted()).to.deep.equal(jobs.map(({ id }) => id).toSorted());
    });

    // holds: service.queues
    it('takes jobs of its own queue only', async () => {
      const { queues, attempts } = harness();
      const [queue, other] = [uniqueQueue(), uniqueQueue()];
      await addOne(queues, other);
      expect(await attempts.claim(queue, claimOf(ANY))).to.deep.equal({ kind: 'idle' });
      expect(await countsOf(queues, other)).to.include({ waiting: 1 });
    });
  });
}
