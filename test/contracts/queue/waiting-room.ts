import { expect } from 'chai';
import type { QueuePort } from '../../../src/application/ports/queue-port.ts';
import { isQueueFull } from '../../../src/domain/errors.ts';
import type { JobOptionsInput } from '../../../src/domain/jobs/job-options.ts';
import type { AddedJob, NewJob } from '../../../src/domain/jobs/job.ts';
import type { QueueName } from '../../../src/domain/queues/queue-name.ts';
import { rejection } from '../../support/rejection.ts';
import type { QueueHarness } from '../queue-harness.ts';
import {
  COMPLETED,
  countsOf,
  jobOf,
  NO_JOBS,
  pausedIn,
  process,
  repeatable,
  retryAfter,
  uniqueQueue,
} from '../queue-steps.ts';

const LATER = { delay: 60_000 };

const forId = (rules: object = {}, opts: JobOptionsInput = {}): JobOptionsInput => ({
  ...opts,
  deduplication: { id: 'customer-17', ...rules },
});

/** What stands in the queue, and the jobs of an add of which some would not wait, or not be stored. */
const BATCHES: readonly (readonly [string, readonly JobOptionsInput[], ...JobOptionsInput[]])[] = [
  ['waiting, prioritized and delayed jobs', [], {}, { priority: 3 }, LATER, { lifo: true }],
  ['ids that exist', [{ jobId: 'a' }], { jobId: 'a' }, {}, { jobId: 'b' }],
  ['an id twice', [], { jobId: 'a' }, { jobId: 'a' }, { jobId: 'b', ...LATER }, { jobId: 'b' }],
  ['a deduplication id that is taken', [forId()], forId(), forId({}, LATER), {}],
  ['a deduplication id twice', [], forId(), forId(), {}],
  ['one for a delayed job', [forId({}, { ...LATER, jobId: 'a' })], forId(), forId({ ttl: 5 }), {}],
  [
    'ones that replace delayed jobs, whose ids are free then',
    [forId({}, { ...LATER, jobId: 'a' })],
    forId({ replace: true }, { ...LATER, jobId: 'b' }),
    { jobId: 'a' },
    forId({ replace: true }),
    { jobId: 'b' },
    forId({ replace: true }),
  ],
  [
    'ones that extend, and reschedule',
    [forId({ ttl: 60_000 }, LATER)],
    forId({ ttl: 60_000, extend: true }),
    forId({ reschedule: true }),
    { deduplication: { id: 'other', ttl: 5, extend: true } },
  ],
];

async function isRefused(add: Promise<unknown>): Promise<boolean> {
  return add.then(
    () => false,
    (error: unknown) => {
      if (!isQueueFull(error)) throw error;
      return true;
    },
  );
}

export function describeWaitingRoom(harness: () => QueueHarness): void {
  describe('adding jobs where so many may wait', () => {
    let queue: QueueName;

    beforeEach(() => {
      queue = uniqueQueue();
    });

    const batch = (size: number, opts?: JobOptionsInput): NewJob[] =>
      Array.from({ length: size }, () => jobOf(opts));

    const add = (maxWaiting: number, ...jobs: NewJob[]): Promise<readonly AddedJob[]> =>
      harness().queues.add(queue, jobs, maxWaiting);

    // holds: policy.max-waiting
    it('adds up to the limit, and beyond it nothing of the batch', async () => {
      expect(await isRefused(add(2, ...batch(3)))).to.equal(true);
      expect(await pausedIn(harness().queueDirectory, queue)).to.equal(undefined);
      await add(2, jobOf(), jobOf({ priority: 1 }));
      const error = await rejection(add(2, jobOf(LATER), jobOf()));
      expect(error.message).to.equal(
        'The queue is full: at most 2 jobs may wait (maxWaiting of the policy)',
      );
      const counts = { ...NO_JOBS, waiting: 1, prioritized: 1 };
      expect(await countsOf(harness().queues, queue)).to.deep.equal(counts);
      expect(await isRefused(add(0, jobOf({ priority: 1 })))).to.equal(true);
    });

    // holds: policy.max-waiting
    it('counts the jobs of a paused queue, and none that run or have ended', async () => {
      const { attempts, queueControl } = harness();
      await add(1, jobOf());
      await process(attempts, queue, COMPLETED);
      await queueControl.pause(queue);
      await add(1, jobOf());
      expect(await isRefused(add(1, jobOf()))).to.equal(true);
      await queueControl.resume(queue);
      await process(attempts, queue, COMPLETED);
      await add(1, jobOf());
    });

    for (const [kind, before, ...options] of BATCHES) {
      // holds: policy.max-waiting-counts
      it(`counts what would wait of a batch: ${kind}`, async () => {
        const { queues } = harness();
        const jobs = options.map((opts) => jobOf(opts));
        const waiting = async (): Promise<number> => {
          const { waiting = 0, prioritized = 0 } = await countsOf(queues, queue);
          return waiting + prioritized;
        };
        const fill = async (): Promise<void> => {
          queue = uniqueQueue();
          for (const opts of before) await queues.add(queue, [jobOf(opts)]);
        };
        await fill();
        await queues.add(queue, jobs);
        const room = await waiting();
        await fill();
        expect(await isRefused(add(room - 1, ...jobs))).to.equal(true);
        await add(room, ...jobs);
        expect(await waiting()).to.equal(room);
      });
    }

    // holds: policy.max-waiting-counts
    it('counts a job whose predecessor of the same id is gone', async () => {
      const { attempts } = harness();
      const rules = { ttl: 60_000, extend: true, keepLastIfActive: true };
      const jobs = [jobOf(forId(rules)), jobOf(forId(rules)), jobOf(forId(rules))];
      await add(1, jobOf(forId({ ttl: 60_000 }, { removeOnComplete: true })));
      await process(attempts, queue, COMPLETED);
      expect(await isRefused(add(0, ...jobs))).to.equal(true);
      expect(await add(1, ...jobs)).to.have.length(3);
      expect((await countsOf(harness().queues, queue))['waiting']).to.equal(1);
    });

    // holds: policy.max-waiting-counts
    it('adds what would not wait to a queue that is full', async () => {
      await harness().queues.add(queue, [jobOf({ jobId: 'mine' }), jobOf()]);
      const added = await add(1, jobOf(LATER), jobOf({ jobId: 'mine' }));
      expect(added.map(({ id }) => id)).to.include('mine');
    });

    // holds: policy.max-waiting-counts
    it('never refuses a retry or a delayed job that falls due, and counts what waits again', async () => {
      const { attempts, advance, queues } = harness();
      await add(1, jobOf(), jobOf({ delay: 1000, priority: 5 }));
      const id = await process(attempts, queue, retryAfter(0));
      expect((await queues.find(queue, id))?.state).to.equal('waiting');
      expect(await isRefused(add(1, jobOf()))).to.equal(true);
      await advance(2000);
      await process(attempts, queue, COMPLETED);
      await process(attempts, queue, COMPLETED);
      expect(await countsOf(queues, queue)).to.deep.equal({ ...NO_JOBS, completed: 2 });
    });

    for (const size of [2, 1500]) {
      // holds: policy.max-waiting-repeat
      it(`remembers no add of ${size} jobs that was refused, and refuses no repeat`, async () => {
        const { queues } = harness();
        const identity = { key: 'key-1', body: 'body-1' };
        const once = { ...repeatable(batch(size)), maxWaiting: size };
        await queues.add(queue, [jobOf({ jobId: 'before' })]);
        expect(await isRefused(queues.addOnce(queue, once, identity))).to.equal(true);
        expect((await countsOf(queues, queue))['waiting']).to.equal(1);
        await harness().jobControl.remove(queue, 'before');
        expect((await queues.addOnce(queue, once, identity)).kind).to.equal('added');
        expect((await queues.addOnce(queue, once, identity)).kind).to.equal('repeated');
      });
    }

    // holds: policy.max-waiting-races
    it('holds exactly while three replicas add at once', async () => {
      const replicas = [harness(), await harness().replica(), await harness().replica()];
      const once = (queues: QueuePort, key: string): Promise<unknown> =>
        queues.addOnce(queue, { ...repeatable(batch(2)), maxWaiting: 20 }, { key, body: 'b' });
      const adds = replicas.flatMap(({ queues }, index) => [
        ...batch(12).map((job) => queues.add(queue, [job], 20)),
        ...batch(4, { priority: 1 }).map((job) => queues.add(queue, [job, job, job], 20)),
        queues.add(queue, [jobOf(), jobOf({ deduplication: { id: `d${index}` } })], 20),
        once(queues, `key-${index}`),
      ]);
      const refused = await Promise.all(adds.map(isRefused));
      expect(refused).to.include(true);
      // Single jobs fill what is left by the larger adds.
      const left = await Promise.all(batch(20).map((job) => isRefused(add(20, job))));
      const { waiting = 0, prioritized = 0 } = await countsOf(harness().queues, queue);
      expect(waiting + prioritized).to.equal(20);
      expect(left).to.include(true);
    });

    // holds: policy.max-waiting-races
    it('lets one of two large adds in that come at once', async () => {
      const { queues } = await harness().replica();
      const jobs = batch(1500);
      const refused = await Promise.all([
        isRefused(add(2000, ...jobs)),
        isRefused(queues.add(queue, jobs, 2000)),
      ]);
      expect(refused.filter((each) => each)).to.have.length(1);
      expect((await countsOf(queues, queue))['waiting']).to.equal(1500);
    });
  });
}
