import { expect } from 'chai';
import {
  addEach,
  addOne,
  HOUR,
  jobOf,
  repeatable,
  take,
  uniqueQueue,
} from '../../contracts/queue-steps.ts';
import { describeBesideNative } from '../../support/redis/beside-native.ts';
import { dump } from '../../support/redis/queue-dump.ts';

describeBesideNative('removing queues that native BullMQ clients share', (clients) => {
  const keysOf = async (queue: string): Promise<string[]> =>
    Object.keys(await dump(clients.commands, `bull:${queue}`));

  // holds: queues.remove, queues.remove-keys
  it('leaves no key: of jobs, schedulers, logs, flows, deduplication, metrics and the service', async () => {
    const queue = uniqueQueue();
    const native = clients.queue(queue);
    await native.upsertJobScheduler('later', { every: HOUR, startDate: Date.now() + HOUR });
    await native.upsertJobScheduler('a:b', { pattern: '0 0 1 1 *' });
    const { id = '' } = await native.add('first', 1, { deduplication: { id: 'held' } });
    await native.addJobLog(id, 'a line');
    const gone = { deduplication: { id: 'throttled', ttl: HOUR }, removeOnComplete: true };
    await native.add('gone', 1, gone);
    const worker = clients.worker(queue, () => Promise.resolve('x'.repeat(1000)), {
      metrics: { maxDataPoints: 10 },
    });
    const done = new Promise<void>((resolve) => {
      let ended = 0;
      worker.on('completed', () => ++ended === 2 && resolve());
    });
    await done;
    await worker.close();
    await clients
      .flows()
      .add({ name: 'p', queueName: queue, children: [{ name: 'c', queueName: queue }] });
    const addition = { key: 'a'.repeat(64), body: 'b'.repeat(64) };
    await clients.replica.queues.addOnce(
      queue,
      repeatable([jobOf(), jobOf({ delay: HOUR })]),
      addition,
    );
    const before = await keysOf(queue);
    expect(before).to.include.members(['de:throttled', 'metrics:completed', 'repeat:later']);
    expect(before.some((key) => key.startsWith('jobgate:'))).to.equal(true);
    const removal = await clients.replica.queueControl.remove(queue, false);
    expect(removal).to.include({ kind: 'removed', schedulers: 2 });
    expect(await keysOf(queue)).to.deep.equal([]);
  });

  // holds: queues.remove, queues.remove-keys
  it('leaves the queue in no register: of those with accepted jobs, or with jobs that may expire', async () => {
    const { commands, replica } = clients;
    const queue = uniqueQueue();
    const registers = ['bull::jobgate:accepted', 'bull::jobgate:expiring'];
    const times = (): Promise<unknown[]> =>
      Promise.all(registers.map((register) => commands.zscore(register, queue)));
    await addEach(replica.queues, queue, {}, { ttl: HOUR });
    const attempt = await take(replica.attempts, queue);
    await replica.attempts.accept(queue, attempt, HOUR);
    expect(await times()).not.to.include(null);
    await replica.queueControl.remove(queue, true);
    expect(await times()).to.deep.equal([null, null]);
  });

  // holds: queues.remove
  it('leaves other queues as they are, of names that begin or match alike', async () => {
    const queue = uniqueQueue();
    const others = [uniqueQueue(`-${queue}`), uniqueQueue('*'), uniqueQueue('[a]')];
    for (const each of [queue, ...others]) {
      await clients.queue(each).add('job', 1, { deduplication: { id: 'one', ttl: HOUR } });
    }
    const before = await Promise.all(others.map(keysOf));
    expect(await clients.replica.queueControl.remove(queue, false)).to.include({ jobs: 1 });
    expect(await clients.replica.queueControl.remove(others[1]!, false)).to.include({ jobs: 1 });
    expect(await keysOf(others[0]!)).to.deep.equal(before[0]);
    expect(await keysOf(others[2]!)).to.deep.equal(before[2]);
  });

  it('frees a queue that a native worker waits at, so that clients may add to it again', async () => {
    const queue = uniqueQueue();
    await addOne(clients.replica.queues, queue, { delay: HOUR });
    const worker = clients.worker(queue, () => Promise.resolve('done'));
    await worker.waitUntilReady();
    await clients.replica.queueControl.remove(queue, false);
    const completed = new Promise<string | undefined>((resolve) => {
      worker.on('completed', ({ id }) => resolve(id));
    });
    const { id } = await addOne(clients.replica.queues, queue, { jobId: 'again' });
    expect(await completed).to.equal(id);
  });
});
