import { once } from 'node:events';
import { QueueEvents, Worker, type Queue } from 'bullmq';
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
  pausedIn,
  take,
  takenIds,
  uniqueQueue,
} from '../../contracts/queue-steps.ts';
import { NativeClients } from '../../support/redis/native-clients.ts';
import type { RedisReplica } from '../../support/redis/redis-stores.ts';

describe('pausing beside native BullMQ clients', () => {
  let clients: NativeClients;
  let replica: RedisReplica;
  let queue: QueueName;

  before(async () => {
    clients = await NativeClients.open();
    ({ replica } = clients);
  });
  beforeEach(() => {
    queue = uniqueQueue();
  });
  afterEach(() => clients.closeAll());
  after(() => clients.end());

  const nativeQueue = (): Queue => clients.queue(queue);

  async function nativeWorker(): Promise<Worker> {
    const processor = (): Promise<string> => Promise.resolve('done');
    const worker = clients.closing(
      new Worker(queue, processor, { connection: clients.connection }),
    );
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
    const busy = clients.closing(
      new Worker(other, () => Promise.resolve(), { connection: clients.connection }),
    );
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
    expect(await pausedIn(replica.queueDirectory, queue)).to.equal(true);
    expect((await replica.attempts.claim(queue, claimOf(ANY))).kind).to.equal('idle');
    const never = new AbortController().signal;
    const waiting = replica.attempts.waitForJobs(queue, Date.now() + HOUR, never);
    await native.resume();
    await waiting;
    await take(replica.attempts, queue);
    expect(await pausedIn(replica.queueDirectory, queue)).to.equal(false);
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
    const fromTheFirst = { connection: clients.connection, lastEventId: '0-0' };
    const events = clients.closing(new QueueEvents(queue, fromTheFirst));
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
    const former = clients.closing(new FormerQueue(queue, { connection: clients.connection }));
    const jobs = Array.from({ length: 10_000 }, () => jobOf());
    await replica.queues.add(queue, jobs);
    await former.pause();
    await addOne(replica.queues, queue);
    expect(await countsOf(replica.queues, queue)).to.include({ waiting: 10_001 });
    await replica.queueControl.resume(queue);
    expect(await countsOf(replica.queues, queue)).to.include({ waiting: 10_001 });
    expect(await clients.commands.exists(`bull:${queue}:paused`)).to.equal(0);
  });
});
