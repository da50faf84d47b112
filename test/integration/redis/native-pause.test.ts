import { once } from 'node:events';
import type { Worker } from 'bullmq';
import { expect } from 'chai';
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
import { describeBesideNative } from '../../support/redis/beside-native.ts';

describeBesideNative('pausing beside native BullMQ clients', (clients) => {
  async function nativeWorker(): Promise<Worker> {
    const processor = (): Promise<string> => Promise.resolve('done');
    const worker = clients.worker(clients.name, processor);
    await worker.waitUntilReady();
    return worker;
  }

  // holds: queues.native, queues.pause, queues.resume
  it('keeps a native worker from starting jobs, until the queue is resumed here', async () => {
    await clients.replica.queueControl.pause(clients.name);
    const worker = await nativeWorker();
    const { id } = await addOne(clients.replica.queues, clients.name);
    const native = clients.queue();
    expect(await native.isPaused()).to.equal(true);
    const started: (string | undefined)[] = [];
    worker.on('active', (job) => started.push(job.id));
    // A job of another queue that goes the whole way meanwhile shows that a worker had the time.
    const other = uniqueQueue();
    const busy = clients.worker(other, () => Promise.resolve());
    const completed = once(busy, 'completed');
    await addOne(clients.replica.queues, other);
    await completed;
    expect(started).to.deep.equal([]);
    const done = once(worker, 'completed');
    await clients.replica.queueControl.resume(clients.name);
    await done;
    expect(started).to.deep.equal([id]);
    expect(await native.isPaused()).to.equal(false);
  });

  // holds: queues.native
  it('follows a native client that pauses and resumes', async () => {
    const native = clients.queue();
    await addOne(clients.replica.queues, clients.name);
    await native.pause();
    expect(await pausedIn(clients.replica.queueDirectory, clients.name)).to.equal(true);
    expect((await clients.replica.attempts.claim(clients.name, claimOf(ANY))).kind).to.equal(
      'idle',
    );
    const never = new AbortController().signal;
    const waiting = clients.replica.attempts.waitForJobs(clients.name, Date.now() + HOUR, never);
    await native.resume();
    await waiting;
    await take(clients.replica.attempts, clients.name);
    expect(await pausedIn(clients.replica.queueDirectory, clients.name)).to.equal(false);
  });

  // holds: queues.native
  it('resumes what a native client paused, and lets one resume what was paused here', async () => {
    const native = clients.queue();
    const { id } = await addOne(clients.replica.queues, clients.name);
    await native.pause();
    await clients.replica.queueControl.resume(clients.name);
    expect(await native.isPaused()).to.equal(false);
    await clients.replica.queueControl.pause(clients.name);
    await native.resume();
    expect(await takenIds(clients.replica.attempts, clients.name)).to.deep.equal([id]);
  });

  // holds: stops.native
  it('has nobody who paused a queue that a native client resumed and paused again', async () => {
    const { queueControl, queueDirectory } = clients.replica;
    const glance = async () => (await queueDirectory.glances([clients.name]))[0]!;
    const native = clients.queue();
    const ada = { by: 'ada', at: Date.now(), reason: 'Deploy' };
    await native.pause();
    expect(await glance())
      .to.include({ isPaused: true })
      .and.not.have.property('pause');
    await queueControl.resume(clients.name);
    await queueControl.pause(clients.name, ada);
    expect(await native.getMeta()).to.include({ paused: true });
    expect((await glance()).pause).to.deep.equal(ada);
    await native.resume();
    expect(await glance()).not.to.have.property('pause');
    await native.pause();
    expect(await glance())
      .to.include({ isPaused: true })
      .and.not.have.property('pause');
  });

  // holds: queues.native
  it('reports each change to native listeners once', async () => {
    const fromTheFirst = { lastEventId: '0-0' };
    const events = clients.events(clients.name, fromTheFirst);
    await events.waitUntilReady();
    const reported: string[] = [];
    for (const event of ['paused', 'resumed'] as const)
      events.on(event, () => reported.push(event));
    const added = once(events, 'added');
    for (let turn = 0; turn < 2; turn += 1) await clients.replica.queueControl.pause(clients.name);
    for (let turn = 0; turn < 2; turn += 1) await clients.replica.queueControl.resume(clients.name);
    await addOne(clients.replica.queues, clients.name);
    await added;
    expect(reported).to.deep.equal(['paused', 'resumed']);
  });

  // holds: queues.native
  it('brings all jobs back that BullMQ 5 put aside when it paused the queue', async () => {
    const former = clients.formerQueue();
    const jobs = Array.from({ length: 10_000 }, () => jobOf());
    await clients.replica.queues.add(clients.name, jobs);
    await former.pause();
    await addOne(clients.replica.queues, clients.name);
    expect(await countsOf(clients.replica.queues, clients.name)).to.include({ waiting: 10_001 });
    await clients.replica.queueControl.resume(clients.name);
    expect(await countsOf(clients.replica.queues, clients.name)).to.include({ waiting: 10_001 });
    expect(await clients.commands.exists(`bull:${clients.name}:paused`)).to.equal(0);
  });
});
