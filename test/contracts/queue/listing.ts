import { queueNamed } from '../../support/queue-named.ts';
import { expect } from 'chai';
import { JOB_STATUSES } from '../../../src/domain/jobs/job-status.ts';
import type { Job } from '../../../src/domain/jobs/job.ts';
import { collected } from '../../support/collected.ts';
import type { QueueHarness } from '../queue-harness.ts';
import {
  addEach,
  addOne,
  COMPLETED,
  countsOf,
  factsOf,
  FAILED,
  HOUR,
  jobOf,
  listed,
  listPage,
  NO_JOBS,
  pick,
  process,
  take,
  uniqueQueue,
} from '../queue-steps.ts';

export function describeListing(harness: () => QueueHarness): void {
  describe('listing jobs', () => {
    it('returns the queue and the state of each job, listed and read', async () => {
      const { queues, attempts } = harness();
      const queue = uniqueQueue();
      const options = [{}, {}, {}, {}, { priority: 3 }, { delay: HOUR }];
      const ids = await addEach(queues, queue, ...options);
      await process(attempts, queue, COMPLETED);
      await process(attempts, queue, FAILED);
      await take(attempts, queue);
      const states = ['completed', 'failed', 'active', 'waiting', 'prioritized', 'delayed'];
      const { jobs } = await listPage(queues, queue, {
        statuses: JOB_STATUSES,
        start: 0,
        length: 10,
      });
      for (const [index, id] of ids.entries()) {
        const state = states[index];
        expect(await queues.find(queue, id)).to.include({ queue, state });
        expect(jobs.find((job) => job.id === id)).to.include({ queue, state });
      }
    });

    // holds: search.short-steps
    it('reads the jobs of some ids as they are, as many at a time as are not large together', async () => {
      const { queues } = harness();
      const queue = uniqueQueue();
      const ids: string[] = [];
      for (const size of [10, 200_000, 200_000, 400_000, 10, 10]) {
        ids.push((await addOne(queues, queue, { priority: 3 }, 'x'.repeat(size))).id);
      }
      ids.splice(5, 0, 'none');
      const pieces: Job[][] = [];
      for await (const piece of queues.findEach(queue, ids)) pieces.push([...piece]);
      expect(pieces.map((piece) => piece.map(({ id }) => id))).to.deep.equal([
        ids.slice(0, 2),
        ids.slice(2, 3),
        ids.slice(3, 4),
        pick(ids, 4, 6),
      ]);
      for (const job of pieces.flat()) expect(job).to.deep.equal(await queues.find(queue, job.id));
      expect(await collected(queues.findEach(uniqueQueue(), ids))).to.deep.equal([]);
    });

    it('finds nothing where nothing is', async () => {
      const { queues } = harness();
      const queue = uniqueQueue();
      const query = { statuses: JOB_STATUSES, start: 0, length: 10 };
      expect(await listPage(queues, queue, query)).to.deep.equal({ counts: NO_JOBS, jobs: [] });
      expect(await queues.find(queue, '1')).to.equal(undefined);
      await addOne(queues, queue);
      expect(await queues.find(queue, 'unknown')).to.equal(undefined);
      expect(await queues.find(queue, '999999')).to.equal(undefined);
    });

    it('lists waiting jobs from the last to be processed to the first', async () => {
      const { queues } = harness();
      const queue = uniqueQueue();
      const ids = await addEach(queues, queue, {}, {}, { lifo: true }, {}, { lifo: true });
      expect(await listed(queues, queue, 'waiting')).to.deep.equal(pick(ids, 3, 1, 0, 2, 4));
    });

    it('lists prioritized jobs from the last to be processed to the first', async () => {
      const { queues } = harness();
      const queue = uniqueQueue();
      const priorities = [7, 2_097_152, 1, 7, 2_097_152, 1].map((priority) => ({ priority }));
      const ids = await addEach(queues, queue, ...priorities);
      expect(await listed(queues, queue, 'prioritized')).to.deep.equal(pick(ids, 4, 1, 3, 0, 5, 2));
    });

    it('lists delayed jobs from the last to fall due to the first', async () => {
      const { queues } = harness();
      const queue = uniqueQueue();
      const ids = await addEach(queues, queue, ...[3000, 1000, 2000].map((delay) => ({ delay })));
      expect(await listed(queues, queue, 'delayed')).to.deep.equal(pick(ids, 0, 2, 1));
    });

    it('lists active jobs from the last started to the first', async () => {
      const { queues, attempts } = harness();
      const queue = uniqueQueue();
      const ids = await addEach(queues, queue, {}, {}, {});
      for (const id of ids) expect((await take(attempts, queue)).job.id).to.equal(id);
      expect(await listed(queues, queue, 'active')).to.deep.equal(pick(ids, 2, 1, 0));
    });

    for (const ending of [COMPLETED, FAILED]) {
      it(`lists ${ending.kind} jobs from the last finished to the first`, async () => {
        const { queues, attempts, advance } = harness();
        const queue = uniqueQueue();
        const ids = await addEach(queues, queue, {}, {}, {});
        const [a, b, c] = [
          await take(attempts, queue),
          await take(attempts, queue),
          await take(attempts, queue),
        ];
        for (const attempt of [b, c, a]) {
          await attempts.settle(queue, attempt, ending);
          await advance(2);
        }
        const finished = await listed(queues, queue, 'completed', 'failed');
        expect(finished).to.deep.equal(pick(ids, 0, 2, 1));
      });
    }

    // holds: page.counts, states.active-counted
    it('counts every status, whichever are asked for', async () => {
      const { queues } = harness();
      const queue = await queueOfAllStatuses(harness());
      for (const status of JOB_STATUSES) {
        const slice = await listPage(queues, queueNamed(queue), {
          statuses: [status],
          start: 0,
          length: 1,
        });
        expect(slice.counts).to.deep.equal(COUNTS);
        expect(slice.jobs).to.have.lengthOf(1);
      }
      expect(await countsOf(queues, queueNamed(queue))).to.deep.equal(COUNTS);
    });

    // holds: states.filter
    it('lists several statuses in listing order, however they are asked for', async () => {
      const { queues } = harness();
      const queue = await queueOfAllStatuses(harness());
      const expected = [
        ...(await listed(queues, queueNamed(queue), 'active')),
        ...(await listed(queues, queueNamed(queue), 'waiting')),
        ...(await listed(queues, queueNamed(queue), 'failed')),
      ];
      expect(expected).to.have.lengthOf(2 + 3 + 2);
      expect(await listed(queues, queueNamed(queue), 'failed', 'waiting', 'active')).to.deep.equal(
        expected,
      );
      expect(
        await listed(queues, queueNamed(queue), 'active', 'failed', 'waiting', 'failed', 'active'),
      ).to.deep.equal(expected);
    });

    for (const length of [1, 2, 3, 5, 14, 100]) {
      // holds: list.bounds, query.partition
      it(`splits all jobs into pages of ${length}, none twice and none missing`, async () => {
        const { queues } = harness();
        const queue = await queueOfAllStatuses(harness());
        const all = await listed(queues, queueNamed(queue), ...JOB_STATUSES);
        expect(new Set(all)).to.have.lengthOf(14);
        const paged: string[] = [];
        for (let start = 0; start < 14; start += length) {
          const { jobs } = await listPage(queues, queueNamed(queue), {
            statuses: JOB_STATUSES,
            start,
            length,
          });
          expect(jobs).to.have.lengthOf(Math.min(length, 14 - start));
          paged.push(...jobs.map(({ id }) => id));
        }
        expect(paged).to.deep.equal(all);
      });
    }

    it('answers with an empty page beyond the end and for length 0', async () => {
      const { queues } = harness();
      const queue = await queueOfAllStatuses(harness());
      for (const [start, length] of [
        [14, 10],
        [1_000_000, 10],
        [0, 0],
        [3, 0],
      ] as const) {
        const slice = await listPage(queues, queueNamed(queue), {
          statuses: JOB_STATUSES,
          start,
          length,
        });
        expect(slice).to.deep.equal({ counts: COUNTS, jobs: [] });
      }
    });

    // holds: bounds.pieces
    it('comes in pieces, in its order, however large the jobs are', async () => {
      const { queues } = harness();
      const queue = uniqueQueue();
      const sizes = [3_000_000, 10, 100_000, 100_000, 100_000, 10, 400_000, 10, 10];
      const batch = sizes.map((size) => jobOf({}, 'x'.repeat(size)));
      const added = await queues.add(queue, batch);
      const query = { statuses: JOB_STATUSES, start: 0, length: 100 };
      const { counts, jobs } = await queues.list(queue, query);
      expect(counts.waiting).to.equal(sizes.length);
      const listed: Job[] = [];
      for await (const piece of jobs) {
        if (piece.length > 1) expect(JSON.stringify(piece).length).to.be.below(400_000);
        listed.push(...piece);
      }
      expect(listed.map(factsOf)).to.deep.equal(added.toReversed());
      for (const { id } of added) {
        expect(factsOf(await queues.find(queue, id))).to.deep.equal(
          factsOf(added.find((job) => job.id === id)),
        );
      }
    });

    it('leaves out a job that is removed while its page is read', async () => {
      const { queues, attempts } = harness();
      const queue = uniqueQueue();
      const batch = Array.from({ length: 6 }, (_, index) =>
        jobOf({}, [index, 'x'.repeat(200_000)]),
      );
      const ids = (await queues.add(queue, batch)).map(({ id }) => id);
      const query = { statuses: JOB_STATUSES, start: 0, length: 100 };
      const { counts, jobs } = await queues.list(queue, query);
      const attempt = await take(attempts, queue);
      await attempts.settle(queue, attempt, { ...COMPLETED, keep: { count: 0 } });
      expect(counts.waiting).to.equal(6);
      const listed = await collected(jobs);
      expect(listed.map(({ id }) => id)).to.deep.equal(pick(ids, 5, 4, 3, 2, 1));
    });

    // holds: page.jobs
    it('lists whole jobs', async () => {
      const { queues } = harness();
      const queue = await queueOfAllStatuses(harness());
      const { jobs } = await listPage(queues, queueNamed(queue), {
        statuses: JOB_STATUSES,
        start: 0,
        length: 50,
      });
      for (const job of jobs)
        expect(factsOf(await queues.find(queueNamed(queue), job.id))).to.deep.equal(factsOf(job));
    });
  });
}

const COUNTS = {
  active: 2,
  waiting: 3,
  prioritized: 3,
  delayed: 2,
  completed: 2,
  failed: 2,
  'waiting-children': 0,
};

async function queueOfAllStatuses({ queues, attempts, advance }: QueueHarness): Promise<string> {
  const queue = uniqueQueue();
  await addEach(queues, queue, {}, {}, {}, {}, {}, {});
  for (const ending of [COMPLETED, COMPLETED, FAILED, FAILED]) {
    await process(attempts, queue, ending);
    await advance(2);
  }
  await take(attempts, queue);
  await take(attempts, queue);
  await addEach(queues, queue, {}, {}, {}, { delay: 60_000 }, { delay: 120_000 });
  await addEach(queues, queue, { priority: 1 }, { priority: 2 }, { priority: 2 });
  return queue;
}
