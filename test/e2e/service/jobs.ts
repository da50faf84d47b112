import { expect } from 'chai';
import type { ServiceContext } from './context.ts';

/** Adding, reading and listing jobs (specification, "Queue and job endpoints"). */
export function describeJobs(context: ServiceContext): void {
  describe('jobs', () => {
    // holds: service.jobs, job.opts, options.zero-when-unset, fields.basic, fields.nulls
    // holds: add.answer
    it('answers an add with the complete jobs, defaults applied', async () => {
      const queue = context.newQueue();
      const before = Date.now();
      const [job] = await context.add(queue, { name: 'welcome', data: { to: 'a@b.c' } });
      expect(job).to.deep.equal({
        id: '1',
        name: 'welcome',
        data: { to: 'a@b.c' },
        opts: { attempts: 0, delay: 0 },
        progress: 0,
        returnvalue: null,
        stacktrace: null,
        attemptsStarted: 0,
        attemptsMade: 0,
        delay: 0,
        timestamp: job?.timestamp,
        queueQualifiedName: `${context.prefix}:${queue}`,
      });
      expect(job?.timestamp).to.be.within(before, Date.now());
      const shown = { ...job, state: 'waiting', suspended: null };
      expect(await context.read(queue, '1')).to.deep.equal(shown);
    });

    // holds: fields.opts
    it('returns the given options besides the defaults', async () => {
      const opts = {
        attempts: 3,
        backoff: { type: 'linear', delay: 50 },
        delay: 60_000,
        priority: 2_097_152,
        lifo: false,
        jobId: 'order-1',
      };
      const [job] = await context.add(context.newQueue(), { name: 'a', data: 0, opts });
      expect(job).to.deep.include({ id: 'order-1', opts, delay: 60_000 });
    });

    // holds: options.generated-id
    it('numbers the jobs of a queue upwards', async () => {
      const queue = context.newQueue();
      const first = await context.add(queue, { name: 'a', data: 1 }, { name: 'b', data: 2 });
      const second = await context.add(queue, { name: 'c', data: 3 });
      expect([...first, ...second].map(({ id }) => id)).to.deep.equal(['1', '2', '3']);
    });

    it('ignores a job whose id exists, and answers with the existing one', async () => {
      const queue = context.newQueue();
      await context.add(queue, { name: 'first', data: 1, opts: { jobId: 'same' } });
      const [again] = await context.add(queue, { name: 'other', data: 2, opts: { jobId: 'same' } });
      expect(again).to.deep.include({ id: 'same', name: 'first', data: 1 });
    });

    // holds: options.finished-id
    it('ignores a job whose id is that of a finished one', async () => {
      const queue = context.newQueue();
      await context.register(queue, await context.newEndpoint());
      const job = { name: 'first', data: 1, opts: { jobId: 'same' } };
      await context.add(queue, job);
      const finished = await context.finished(queue, 'same');
      const [again] = await context.add(queue, job);
      expect({ ...again, state: 'completed', suspended: null }).to.deep.equal(finished);
    });

    // holds: add.atomic
    it('stores nothing of a batch with a bad job, and names the field', async () => {
      const queue = context.newQueue();
      const answer = await context.call('POST', `/queues/${queue}/jobs`, [
        { name: 'good', data: 1 },
        { name: 'bad', data: 1, opts: { priority: 2_097_153 } },
      ]);
      expect(answer).to.deep.include({
        status: 400,
        body: '[1].opts.priority must be an integer from 0 to 2097152',
      });
      const listed = await context.call('GET', `/queues/${queue}/jobs`);
      expect(listed).to.deep.include({ status: 404, body: 'Not found' });
    });

    // holds: add.short-path
    it('accepts jobs at the path of the queue too, and an empty batch', async () => {
      const queue = context.newQueue();
      const alias = await context.call('POST', `/queues/${queue}`, [{ name: 'a', data: 1 }]);
      expect(alias.status).to.equal(200);
      expect(alias.body).to.have.lengthOf(1);
      expect(await context.add(queue)).to.deep.equal([]);
    });

    // holds: job.data
    it('keeps any JSON value as data', async () => {
      const queue = context.newQueue();
      const values = [null, false, 0, '', 'ünïcödé \u{1f600}', -1.5e-7, [], {}, [[{ a: null }]]];
      const added = await context.add(queue, ...values.map((data) => ({ name: 'a', data })));
      expect(added.map(({ data }) => data)).to.deep.equal(values);
      const stored = await Promise.all(added.map(({ id }) => context.read(queue, id)));
      expect(stored.map(({ data }) => data)).to.deep.equal(values);
    });

    // holds: service.jobs, page.shape, list.answer, query.counts
    it('lists pages over several statuses that partition the jobs', async () => {
      const queue = context.newQueue();
      const jobs = Array.from({ length: 25 }, (_, index) => ({
        name: `job ${index}`,
        data: index,
        opts: [{}, { delay: 60_000 }, { priority: 5 }][index % 3],
      }));
      await context.add(queue, ...jobs);
      const seen: string[] = [];
      for (let start = 0; start < 30; start += 10) {
        const path = `/queues/${queue}/jobs?statuses=waiting,delayed,prioritized&start=${start}`;
        const { status, body } = await context.call('GET', path);
        expect(status).to.equal(200);
        const page = body as {
          start: number;
          length: number;
          counts: object;
          jobs: { id: string }[];
        };
        expect(page).to.deep.include({ start, length: 10 });
        expect(page.counts).to.deep.equal({
          active: 0,
          waiting: 9,
          prioritized: 8,
          delayed: 8,
          completed: 0,
          failed: 0,
        });
        seen.push(...page.jobs.map(({ id }) => id));
      }
      expect(seen).to.have.lengthOf(25);
      expect(new Set(seen).size).to.equal(25);
    });

    it('answers an empty page of a queue that has jobs with 200', async () => {
      const queue = context.newQueue();
      await context.add(queue, { name: 'a', data: 1 });
      const answer = await context.call('GET', `/queues/${queue}/jobs?statuses=failed&length=5`);
      expect(answer.status).to.equal(200);
      expect(answer.body).to.deep.include({ jobs: [], start: 0, length: 5 });
    });

    // holds: query.unknown-job
    it('answers the read of an unknown job with 404 and an object', async () => {
      const answer = await context.call('GET', `/queues/${context.newQueue()}/jobs/77`);
      expect(answer).to.deep.include({ status: 404, body: { error: 'Job not found' } });
      const names = ['meta', 'wait', 'events', 'id', 'marker'];
      const queue = context.newQueue();
      await context.add(queue, { name: 'a', data: 1 });
      for (const name of names) {
        expect((await context.call('GET', `/queues/${queue}/jobs/${name}`)).status).to.equal(404);
      }
    });
  });
}
