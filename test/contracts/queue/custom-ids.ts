import { expect } from 'chai';
import type { AttemptEnding } from '../../../src/domain/attempts/ending.ts';
import type { NewJob } from '../../../src/domain/jobs/job.ts';
import type { QueueHarness } from '../queue-harness.ts';
import {
  addOne,
  COMPLETED,
  countsOf,
  factsOf,
  FAILED,
  jobOf,
  listPage,
  NO_JOBS,
  process,
  read,
  retryAfter,
  statusOf,
  take,
  uniqueQueue,
} from '../queue-steps.ts';
import { isVolumePlayedOn } from '../played-on.ts';

const IDS = ['order-17', 'ünï 日本 🚀', 'a b', '1.5', '__proto__', 'constructor', 'x'.repeat(255)];

const ENDINGS: readonly (readonly [string, AttemptEnding])[] = [
  ['completed', COMPLETED],
  ['failed', FAILED],
  ['delayed', retryAfter(60_000)],
  ['waiting', retryAfter(0)],
];

export function describeCustomIds(harness: () => QueueHarness, store: string): void {
  describe('custom ids', () => {
    for (const jobId of IDS) {
      // holds: options.job-id
      it(`takes ${jobId.slice(0, 20)}`, async () => {
        const { queues } = harness();
        const queue = uniqueQueue();
        const job = await addOne(queues, queue, { jobId });
        expect(job).to.include({ id: jobId, name: 'work' });
        expect(job.opts).to.deep.equal({ attempts: 0, delay: 0, jobId });
        expect(factsOf(await queues.find(queue, jobId))).to.deep.equal(factsOf(job));
      });
    }

    // holds: options.existing-id
    it('answers with the existing job and leaves it as it is', async () => {
      const { queues } = harness();
      const queue = uniqueQueue();
      const job = await addOne(queues, queue, { jobId: 'same', attempts: 2 }, 'first');
      await harness().advance(5);
      const again = await addOne(queues, queue, { jobId: 'same', priority: 9, delay: 7 }, 'second');
      expect(again).to.deep.equal(existing(job));
      expect(factsOf(await queues.find(queue, 'same'))).to.deep.equal(factsOf(job));
      expect(await countsOf(queues, queue)).to.deep.equal({ ...NO_JOBS, waiting: 1 });
    });

    // holds: options.existing-id
    it('stores the first of a batch and answers with it for the others', async () => {
      const { queues } = harness();
      const queue = uniqueQueue();
      const jobs = await queues.add(queue, [
        jobOf({ jobId: 'same' }, 1),
        jobOf({}, 2),
        jobOf({ jobId: 'same', delay: 1000 }, 3),
        jobOf({ jobId: 'other' }, 4),
        jobOf({ jobId: 'same' }, 5),
      ]);
      expect(jobs.map(({ data }) => data)).to.deep.equal([1, 2, 1, 4, 1]);
      expect(jobs[2]).to.deep.equal(existing(jobs[0]));
      expect(await countsOf(queues, queue)).to.deep.equal({ ...NO_JOBS, waiting: 3 });
    });

    it('stores the rest of a batch that holds an existing id', async () => {
      const { queues } = harness();
      const queue = uniqueQueue();
      const first = await addOne(queues, queue, { jobId: 'same' }, 'first');
      const jobs = await queues.add(queue, [
        jobOf({}, 'before'),
        jobOf({ jobId: 'same' }, 'second'),
        jobOf({}, 'after'),
      ]);
      expect(jobs[1]).to.deep.equal(existing(first));
      const slice = await listPage(queues, queue, { statuses: ['waiting'], start: 0, length: 10 });
      expect(slice.jobs.map(({ data }) => data)).to.deep.equal(['after', 'before', 'first']);
    });

    it('still gives increasing ids after jobs that were not stored', async () => {
      const { queues } = harness();
      const queue = uniqueQueue();
      const first = await addOne(queues, queue);
      for (let turn = 0; turn < 3; turn += 1) await addOne(queues, queue, { jobId: 'same' });
      const second = await addOne(queues, queue);
      expect(Number(second.id)).to.be.above(Number(first.id));
    });

    it('uses up a number for each job, also for one with an id of its own', async () => {
      const { queues } = harness();
      const queue = uniqueQueue();
      const batch = [jobOf(), jobOf({ jobId: 'same' }), jobOf(), jobOf({ jobId: 'same' }), jobOf()];
      const jobs = await queues.add(queue, batch);
      expect(jobs.map(({ id }) => id)).to.deep.equal(['1', 'same', '3', 'same', '5']);
      await addOne(queues, queue, { jobId: 'other' });
      expect((await addOne(queues, queue)).id).to.equal('7');
    });

    it('knows the id of an active job', async () => {
      const { queues, attempts } = harness();
      const queue = uniqueQueue();
      await addOne(queues, queue, { jobId: 'same' });
      const attempt = await take(attempts, queue);
      const again = await addOne(queues, queue, { jobId: 'same' });
      expect(again).to.deep.equal(existing(factsOf(attempt.job)));
      expect(await countsOf(queues, queue)).to.deep.equal({ ...NO_JOBS, active: 1 });
    });

    for (const [status, ending] of ENDINGS) {
      // holds: options.finished-id
      it(`knows the id of a job that is ${status} after an attempt`, async () => {
        const { queues, attempts } = harness();
        const queue = uniqueQueue();
        await addOne(queues, queue, { jobId: 'same' });
        await process(attempts, queue, ending);
        const job = await read(queues, queue, 'same');
        expect(job.attemptsMade).to.equal(1);
        const again = await addOne(queues, queue, { jobId: 'same' });
        expect(again).to.deep.equal(existing(factsOf(job)));
        expect(await statusOf(queues, queue, 'same')).to.deep.equal([status]);
        expect(await countsOf(queues, queue)).to.deep.equal({ ...NO_JOBS, [status]: 1 });
      });
    }

    // holds: bounds.repeated-id
    it('is looked at once in a batch, and the answers repeat it', async () => {
      const { queues } = harness();
      const queue = uniqueQueue();
      const first = await addOne(queues, queue, { jobId: 'same' }, 'x'.repeat(1000));
      const batch = Array.from({ length: 300 }, (_, index) => jobOf({ jobId: 'same' }, index));
      const jobs = await queues.add(queue, [...batch, jobOf({ jobId: 'other' }, 'new')]);
      for (const job of jobs.slice(0, 300)) expect(job).to.deep.equal(existing(first));
      expect(jobs[300]).to.include({ id: 'other', data: 'new' });
      expect(await countsOf(queues, queue)).to.deep.equal({ ...NO_JOBS, waiting: 2 });
    });

    // holds: bounds.existing-jobs
    it('is answered alone when the existing jobs of an answer take more than 64 MB', async () => {
      const { queues } = harness();
      const queue = uniqueQueue();
      const megabyte = 'x'.repeat(1024 * 1024);
      const large = await addOne(queues, queue, { jobId: 'large' }, megabyte);
      const small = await addOne(queues, queue, { jobId: 'small' }, 1);
      const again = (times: number): NewJob[] =>
        Array.from({ length: times }, () => jobOf({ jobId: 'large' }));
      const below = await queues.add(queue, again(60));
      expect(below.at(-1)).to.deep.equal(existing(large));
      const batch = [...again(64), jobOf({ jobId: 'small' }), jobOf({ jobId: 'fresh' }, 'new')];
      const beyond = await queues.add(queue, [...batch, jobOf({ jobId: 'fresh' })]);
      for (const job of beyond.slice(0, 64)) expect(job).to.deep.equal(existing({ id: 'large' }));
      expect(beyond[64]).to.deep.equal(existing({ id: 'small' }));
      expect(beyond[65]).to.include({ id: 'fresh', data: 'new' });
      expect(beyond[66]).to.deep.equal(existing({ id: 'fresh' }));
      expect(factsOf(await queues.find(queue, 'small'))).to.deep.equal(factsOf(small));
      expect(await countsOf(queues, queue)).to.deep.equal({ ...NO_JOBS, waiting: 3 });
    });

    if (isVolumePlayedOn(store)) {
      it('is answered for many existing jobs, in the order of the batch', async () => {
        const { queues } = harness();
        const queue = uniqueQueue();
        const batch = Array.from({ length: 1000 }, (_, index) =>
          jobOf({ jobId: `job-${String(index)}` }, 'x'.repeat(index * 10)),
        );
        const first = await queues.add(queue, batch);
        const again = await queues.add(queue, batch.toReversed());
        expect(again).to.deep.equal(first.toReversed().map(existing));
      });
    }

    it('may be the same in two queues', async () => {
      const { queues } = harness();
      const [queue, other] = [uniqueQueue(), uniqueQueue()];
      await addOne(queues, queue, { jobId: 'same' }, 'here');
      await addOne(queues, other, { jobId: 'same' }, 'there');
      expect((await read(queues, queue, 'same')).data).to.equal('here');
      expect((await read(queues, other, 'same')).data).to.equal('there');
    });

    it('is stored once when replicas add it at the same time', async () => {
      const { queues } = harness();
      const queue = uniqueQueue();
      const replica = await harness().replica();
      const calls = Array.from({ length: 20 }, (_, call) =>
        (call % 2 === 0 ? queues : replica.queues).add(queue, [jobOf({ jobId: 'same' }, call)]),
      );
      const jobs = (await Promise.all(calls)).flat();
      const stored = await read(queues, queue, 'same');
      const isNew = jobs.filter(({ existed }) => existed !== true);
      expect(isNew).to.deep.equal([factsOf(stored)]);
      for (const job of jobs) expect(existing(job)).to.deep.equal(existing(factsOf(stored)));
      expect(await countsOf(queues, queue)).to.deep.equal({ ...NO_JOBS, waiting: 1 });
    });
  });
}

/** The job as an add answers with it that finds it under the id of its own. */
function existing(job: object | undefined): object {
  return { ...job, existed: true };
}
