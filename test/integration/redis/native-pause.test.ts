import { once } from 'node:events';
import { Queue, QueueEvents, Worker } from 'bullmq';
import { Queue as FormerQueue } from 'bullmq5';
import { expect } from 'chai';
import type { QueueName } from '../../../src/domain/queue-name.ts';
import {
  addOne,
  ANY,
  claimOf,
  countsOf,
  HOUR,
  jobOf,
  take,
  takenIds,
  uniqueQueue,
} from '../../contracts/queue-steps.ts';
import {
  redisReplica,
  TestConnections,
  type RedisReplica,
} from '../../support/redis/redis-stores.ts';
import { testStore } from '../../support/redis/test-store.ts';

describe('pausing beside native BullMQ clients', () => {
  let uri: string;
  let connections: TestConnections;
  let replica: RedisReplica;
  let queue: QueueName;
  const closers: (() => Promise<unknown>)[] = [];

  before(async () => {
    ({ uri } = await testStore());
    connections = await TestConnections.open(uri);
    replica = redisReplica(connections);
  });
  beforeEach(() => {
    queue = uniqueQueue();
  });
  afterEach(async () => {
    await Promise.all(closers.splice(0).map((close) => close()));
  });
  after(() => connections.close());

  function closing<Client extends { close(): Promise<unknown> }>(client: Client): Client {
    closers.push(() => client.close());
    return client;
  }

  const connection = (): { readonly url: string } => ({ url: uri });
  const nativeQueue = (): Queue => closing(new Queue(queue, { connection: connection() }));

  async function nativeWorker(): Promise<Worker> {
    const processor = (): Promise<string> => Promise.resolve('done');
    const worker = closing(new Worker(queue, processor, { connection: connection() }));
    await worker.waitUntilReady();
    return worker;
  }

  // holds: queues.native, queues.pause, queues.resume
  it('keeps a native worker from starting jobs, until the queue is resumed here', async () => {
    await replica.queueControl.pause(queue);
    const worker = await nativeWorker();
    const { id } = await addOne(replica.queues, queue);
    const native = nativeQueue();
    expect(await native.isPaused()).to.equal(true);
    const started: (string | undefined)[] = [];
    worker.on('active', (job) => started.push(job.id));
    // A job of another queue that goes the whole way meanwhile shows that a worker had the time.
    const other = uniqueQueue();
    const busy = closing(new Worker(other, () => Promise.resolve(), { connection: connection() }));
    const completed = once(busy, 'completed');
    await addOne(replica.queues, other);
    await completed;
    expect(started).to.deep.equal([]);
    const done = once(worker, 'completed');
    await replica.queueControl.resume(queue);
    await done;
    expect(started).to.deep.equal([id]);
    expect(await native.isPaused()).to.equal(false);
  });

  // holds: queues.native
  it('follows a native client that pauses and resumes', async () => {
    const native = nativeQueue();
    await addOne(replica.queues, queue);
    await native.pause();
    expect(await replica.queueControl.state(queue)).to.deep.equal({ isPaused: true });
    expect((await replica.attempts.claim(queue, claimOf(ANY))).kind).to.equal('idle');
    const never = new AbortController().signal;
    const waiting = replica.attempts.waitForJobs(queue, Date.now() + HOUR, never);
    await native.resume();
    await waiting;
    await take(replica.attempts, queue);
    expect(await replica.queueControl.state(queue)).to.deep.equal({ isPaused: false });
  });

  // holds: queues.native
  it('resumes what a native client paused, and lets one resume what was paused here', async () => {
    const native = nativeQueue();
    const { id } = await addOne(replica.queues, queue);
    await native.pause();
    await replica.queueControl.resume(queue);
    expect(await native.isPaused()).to.equal(false);
    await replica.queueControl.pause(queue);
    await native.resume();
    expect(await takenIds(replica.attempts, queue)).to.deep.equal([id]);
  });

  // holds: queues.native
  it('tells native listeners of each change once', async () => {
    const fromTheFirst = { connection: connection(), lastEventId: '0-0' };
    const events = closing(new QueueEvents(queue, fromTheFirst));
    await events.waitUntilReady();
    const told: string[] = [];
    for (const event of ['paused', 'resumed'] as const) events.on(event, () => told.push(event));
    const added = once(events, 'added');
    for (let turn = 0; turn < 2; turn += 1) await replica.queueControl.pause(queue);
    for (let turn = 0; turn < 2; turn += 1) await replica.queueControl.resume(queue);
    await addOne(replica.queues, queue);
    await added;
    expect(told).to.deep.equal(['paused', 'resumed']);
  });

  // holds: queues.native
  it('brings all jobs back that BullMQ 5 put aside when it paused the queue', async () => {
    const former = closing(new FormerQueue(queue, { connection: connection() }));
    const jobs = Array.from({ length: 10_000 }, () => jobOf());
    await replica.queues.add(queue, jobs);
    await former.pause();
    await addOne(replica.queues, queue);
    expect(await countsOf(replica.queues, queue)).to.include({ waiting: 10_001 });
    await replica.queueControl.resume(queue);
    expect(await countsOf(replica.queues, queue)).to.include({ waiting: 10_001 });
    expect(await connections.commands.exists(`bull:${queue}:paused`)).to.equal(0);
  });
});
