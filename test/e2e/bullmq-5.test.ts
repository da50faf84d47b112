import { Queue as CurrentQueue } from 'bullmq';
import { Queue, QueueEvents, Worker } from 'bullmq5';
import { expect } from 'chai';
import type { Page } from '../contracts/queue-steps.ts';
import { answer } from '../support/endpoint-server.ts';
import { eventually } from '../support/eventually.ts';
import { testStore } from '../support/redis/test-store.ts';
import { rejection } from '../support/rejection.ts';
import { ServiceProcess } from '../support/service-process.ts';
import { ServiceContext } from './service/context.ts';

const EACH = 50;

/** BullMQ 5, whose clients are still common, beside jobgate on one queue. */
describe('native clients of BullMQ 5', () => {
  const context = new ServiceContext(() => service);
  const closers: (() => Promise<unknown>)[] = [];
  let connection: { readonly url: string };
  let service: ServiceProcess;
  let name: string;
  let queue: Queue;

  before(async () => {
    const { uri } = await testStore();
    connection = { url: uri };
    const WORKER_METADATA_KEY = `bullmq-5:${process.pid}:workers`;
    service = await ServiceProcess.start({ STORE_URI: uri, WORKER_METADATA_KEY });
  });
  beforeEach(() => {
    name = context.newQueue();
    queue = open(new Queue(name, { connection }));
  });
  afterEach(async () => {
    await context.cleanUp();
    await Promise.all(closers.splice(0).map((close) => close()));
  });
  after(() => service.stop());

  function open<Client extends { close(): Promise<unknown> }>(client: Client): Client {
    closers.push(() => client.close());
    return client;
  }

  // holds: security.bullmq-5
  it('share a queue: jobs of both producers are processed once, some by each kind of worker', async () => {
    const done: string[] = [];
    const worker = new Worker(
      name,
      ({ id = '' }) => {
        done.push(id);
        return Promise.resolve('native');
      },
      { connection },
    );
    open(worker);
    const endpoint = await context.newEndpoint(answer(200, 'endpoint'));
    await context.register(name, endpoint, { opts: { concurrency: 2 } });
    const numbers = Array.from({ length: EACH }, (_, data) => data);
    const [native, added] = await Promise.all([
      queue.addBulk(numbers.map((data) => ({ name: 'native', data }))),
      context.add(name, ...numbers.map((data) => ({ name: 'rest', data }))),
    ]);
    await eventually('all jobs complete', async () => {
      return (await queue.getCompletedCount()) === 2 * EACH;
    });
    const called = endpoint.calls.map(({ body }) => body.job.id);
    const ids = [...native.map(({ id = '' }) => id), ...added.map(({ id }) => id)];
    expect([...done, ...called]).to.have.members(ids);
    expect(done).not.to.deep.equal([]);
    expect(called).not.to.deep.equal([]);
    const { body } = await context.call('GET', `/queues/${name}/jobs?length=${2 * EACH}`);
    const { counts, jobs } = body as Page;
    expect(await queue.getJobCounts()).to.include(counts);
    expect(new Set(jobs.map(({ returnvalue }) => returnvalue))).to.have.all.keys(
      'native',
      'endpoint',
    );
  });

  // holds: security.bullmq-5
  it('see how their jobs end, with reasons, attempts, logs and events', async () => {
    const events = open(new QueueEvents(name, { connection }));
    await events.waitUntilReady();
    const endpoint = await context.newEndpoint(async (call, response) => {
      const { job, token } = call.body;
      const path = `/queues/${name}/jobs/${job.id}`;
      await context.call('POST', `${path}/logs`, `attempt ${job.attemptsMade + 1}`, token);
      await context.call('POST', `${path}/progress`, 50, token);
      await answer(job.name === 'good' ? 200 : 500, { message: 'sorry' })(call, response);
    });
    await context.register(name, endpoint);
    const good = await queue.add('good', { n: 1 }, { delay: 20, priority: 3 });
    expect(await good.waitUntilFinished(events, 10_000)).to.deep.equal({ message: 'sorry' });
    const backoff = { type: 'exponential', delay: 10 };
    const bad = await queue.add('bad', { n: 2 }, { attempts: 2, backoff });
    expect(await rejection(bad.waitUntilFinished(events, 10_000))).to.include({ message: 'sorry' });
    const failed = await queue.getJob(bad.id!);
    expect(await failed!.getState()).to.equal('failed');
    expect(failed).to.include({ attemptsMade: 2, failedReason: 'sorry', progress: 50 });
    const { logs } = await queue.getJobLogs(bad.id!);
    expect(logs).to.deep.equal(['attempt 1', 'attempt 2']);
  });

  it('have their scheduled jobs delivered', async () => {
    const endpoint = await context.newEndpoint(answer(200, 'done'));
    await context.register(name, endpoint);
    await queue.upsertJobScheduler('ticks', { every: 50 }, { name: 'tick', data: 7 });
    for (let count = 0; count < 3; count += 1) {
      expect((await endpoint.nextCall()).body.job.data).to.equal(7);
    }
    await queue.removeJobScheduler('ticks');
    // What dashboards such as bull-board show as workers: jobgate has no connection per queue.
    expect(await queue.getWorkers()).to.deep.equal([]);
  });

  it('leave a paused queue that loses no job when BullMQ 6 resumes it', async () => {
    await queue.add('before', 1);
    await queue.pause();
    await queue.add('native', 2);
    await context.add(name, { name: 'added', data: 3 });
    const endpoint = await context.newEndpoint(answer(200, 'done'));
    await context.register(name, endpoint);
    expect(await queue.getCompletedCount()).to.equal(0);
    await open(new CurrentQueue(name, { connection })).resume();
    await eventually('all jobs complete', async () => (await queue.getCompletedCount()) === 3);
    expect(endpoint.calls).to.have.lengthOf(3);
  });
});
