import { queueNamed } from '../../support/queue-named.ts';
import { expect } from 'chai';
import type { JobOptionsInput } from '../../../src/domain/jobs/job-options.ts';
import { newJob } from '../../../src/domain/jobs/job.ts';
import { JsonText } from '../../../src/domain/values/json.ts';
import type { QueueHarness } from '../queue-harness.ts';
import {
  addOne,
  countsOf,
  factsOf,
  jobOf,
  listed,
  listPage,
  NO_JOBS,
  read,
  uniqueQueue,
} from '../queue-steps.ts';
import { JSON_VALUES } from './json-values.ts';
import { isVolumePlayedOn } from '../played-on.ts';

const EVERY_OPTION: JobOptionsInput = {
  attempts: 5,
  backoff: { type: 'exponential', delay: 1000 },
  delay: 250,
  priority: 2_097_152,
  lifo: true,
  jobId: 'every-option',
};

const QUEUE_NAMES = [
  'ünïcode 日本語 🚀',
  'with spaces  in it',
  '{braces}',
  'a/b?c=d#e%20',
  '"\'\\',
];

export function describeAdding(harness: () => QueueHarness, store: string): void {
  describe('adding jobs', () => {
    // holds: fields.new, fields.queue
    it('returns the fresh job, and stores what it returns', async () => {
      const { queues, now } = harness();
      const queue = uniqueQueue();
      const before = now();
      const [job] = await queues.add(queue, [newJob({ name: 'mail', data: { to: 'a@b' } }, 'job')]);
      expect(job?.timestamp).to.be.within(before, harness().now());
      expect(job?.id).to.match(/^[1-9]\d*$/);
      expect(job).to.deep.equal({
        queue,
        id: job?.id,
        name: 'mail',
        data: { to: 'a@b' },
        opts: { attempts: 0, delay: 0 },
        progress: 0,
        returnvalue: null,
        stacktrace: null,
        attemptsStarted: 0,
        attemptsMade: 0,
        delay: 0,
        timestamp: job?.timestamp,
      });
      expect(factsOf(await queues.find(queue, job?.id ?? ''))).to.deep.equal(factsOf(job));
      const slice = await listPage(queues, queue, { statuses: ['waiting'], start: 0, length: 10 });
      expect(slice).to.deep.equal({
        counts: { ...NO_JOBS, waiting: 1 },
        jobs: [{ ...job, state: 'waiting' }],
      });
    });

    it('shows a job to other replicas at once', async () => {
      const queue = uniqueQueue();
      const replica = await harness().replica();
      const job = await addOne(harness().queues, queue);
      expect(factsOf(await replica.queues.find(queue, job.id))).to.deep.equal(factsOf(job));
    });

    it('keeps every option as given', async () => {
      const { queues } = harness();
      const queue = uniqueQueue();
      const job = await addOne(queues, queue, EVERY_OPTION);
      expect(job.opts).to.deep.equal(EVERY_OPTION);
      expect(job.delay).to.equal(250);
      expect(factsOf(await queues.find(queue, job.id))).to.deep.equal(factsOf(job));
    });

    for (const [title, opts, status] of [
      ['no options', {}, 'waiting'],
      // holds: body.priority-zero
      ['priority 0', { priority: 0 }, 'waiting'],
      ['priority 1', { priority: 1 }, 'prioritized'],
      ['the highest priority number', { priority: 2_097_152 }, 'prioritized'],
      ['a delay', { delay: 1000 }, 'delayed'],
      ['a delay and a priority', { delay: 1000, priority: 3 }, 'delayed'],
      ['lifo', { lifo: true }, 'waiting'],
    ] as const) {
      it(`makes a job with ${title} ${status}`, async () => {
        const { queues } = harness();
        const queue = uniqueQueue();
        const job = await addOne(queues, queue, opts);
        expect(await listed(queues, queue, status)).to.deep.equal([job.id]);
        expect(await countsOf(queues, queue)).to.deep.equal({ ...NO_JOBS, [status]: 1 });
      });
    }

    for (const [title, data] of JSON_VALUES) {
      // holds: body.any-data
      it(`keeps ${title} as data`, async () => {
        const { queues } = harness();
        const queue = uniqueQueue();
        const job = await addOne(queues, queue, {}, data);
        expect(job.data).to.deep.equal(data);
        expect((await read(queues, queue, job.id)).data).to.deep.equal(data);
      });
    }

    it('keeps data that comes as text, and returns it as the same text', async () => {
      const { queues } = harness();
      const queue = uniqueQueue();
      const data = new JsonText(' {"a": [1e2, "é"],\t"a": {"b": null}} ');
      const [job] = await queues.add(queue, [newJob({ name: 'work', data }, 'job')]);
      expect(job?.data).to.equal(data);
      expect((await read(queues, queue, '1')).data).to.deep.equal({ a: { b: null } });
    });

    it('keeps any name', async () => {
      const { queues } = harness();
      const queue = uniqueQueue();
      const names = ['', ' ', '__proto__', 'ünïcode 🚀', 'a\nb\u0001c', 'x'.repeat(10_000)];
      const jobs = await queues.add(
        queue,
        names.map((name) => newJob({ name, data: null }, 'job')),
      );
      expect(jobs.map(({ name }) => name)).to.deep.equal(names);
      for (const job of jobs)
        expect(factsOf(await queues.find(queue, job.id))).to.deep.equal(factsOf(job));
    });

    // holds: options.generated-id
    it('gives increasing integers as ids, within a batch and from call to call', async () => {
      const { queues } = harness();
      const queue = uniqueQueue();
      const first = await queues.add(queue, [jobOf(), jobOf({ delay: 1000 }), jobOf()]);
      const second = await queues.add(queue, [jobOf({ priority: 1 })]);
      const third = await queues.add(queue, [jobOf(), jobOf()]);
      expectIncreasing([...first, ...second, ...third].map(({ id }) => id));
    });

    it('gives every job of concurrent calls an id of its own', async () => {
      const { queues } = harness();
      const queue = uniqueQueue();
      const replica = await harness().replica();
      const calls = Array.from({ length: 20 }, (_, call) =>
        (call % 2 === 0 ? queues : replica.queues).add(queue, [jobOf(), jobOf()]),
      );
      const ids = (await Promise.all(calls)).flat().map(({ id }) => id);
      expect(new Set(ids)).to.have.lengthOf(40);
      expect(await countsOf(queues, queue)).to.include({ waiting: 40 });
    });

    if (isVolumePlayedOn(store)) {
      it('adds a batch of 5,000 jobs in its order', async () => {
        const { queues } = harness();
        const queue = uniqueQueue();
        const batch = Array.from({ length: 5000 }, (_, index) => jobOf({}, index));
        const jobs = await queues.add(queue, batch);
        expect(jobs.map(({ data }) => data)).to.deep.equal(batch.map(({ data }) => data));
        expectIncreasing(jobs.map(({ id }) => id));
        const slice = await listPage(queues, queue, {
          statuses: ['waiting'],
          start: 0,
          length: 5000,
        });
        expect(slice.counts.waiting).to.equal(5000);
        expect(slice.jobs.map(factsOf)).to.deep.equal(jobs.toReversed());
      });
    }

    for (const suffix of QUEUE_NAMES) {
      // holds: service.qualified-name
      it(`takes the queue name ${suffix}`, async () => {
        const { queues } = harness();
        const queue = uniqueQueue(suffix);
        const job = await addOne(queues, queue);
        expect(job.queue).to.equal(queue);
        expect(factsOf(await queues.find(queue, job.id))).to.deep.equal(factsOf(job));
        expect(await listed(queues, queue, 'waiting')).to.deep.equal([job.id]);
      });
    }

    for (const queue of ['__proto__', 'constructor', 'toString']) {
      it(`takes the queue name ${queue}`, async () => {
        const { queues } = harness();
        const { waiting = 0 } = await countsOf(queues, queueNamed(queue));
        const job = await addOne(queues, queueNamed(queue));
        expect(factsOf(await queues.find(queueNamed(queue), job.id))).to.deep.equal(factsOf(job));
        expect(await countsOf(queues, queueNamed(queue))).to.include({ waiting: waiting + 1 });
      });
    }

    // holds: service.queues
    it('keeps queues apart', async () => {
      const { queues } = harness();
      const [queue, other] = [uniqueQueue(), uniqueQueue()];
      const job = await addOne(queues, queue, { jobId: 'only-here' });
      expect(await queues.find(other, job.id)).to.equal(undefined);
      expect(await countsOf(queues, other)).to.deep.equal(NO_JOBS);
    });
  });
}

function expectIncreasing(ids: readonly string[]): void {
  for (const id of ids) expect(id).to.match(/^[1-9]\d*$/);
  expect(ids).to.deep.equal([...new Set(ids)].sort((a, b) => Number(a) - Number(b)));
}
