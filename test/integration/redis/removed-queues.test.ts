import { Worker } from 'bullmq';
import { expect } from 'chai';
import { addOne, HOUR, jobOf, repeatable, uniqueQueue } from '../../contracts/queue-steps.ts';
import { NativeClients } from '../../support/redis/native-clients.ts';
import { dump } from '../../support/redis/queue-dump.ts';
import type { RedisReplica } from '../../support/redis/redis-stores.ts';

describe('removing queues that native BullMQ clients share', () => {
  let clients: NativeClients;
  let replica: RedisReplica;

  before(async () => {
    clients = await NativeClients.open();
    ({ replica } = clients);
  });
  afterEach(() => clients.closeAll());
  after(() => clients.end());

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
    const worker = clients.closing(
      new Worker(queue, () => Promise.resolve('x'.repeat(1000)), {
        connection: clients.connection,
        metrics: { maxDataPoints: 10 },
      }),
    );
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
    await replica.queues.addOnce(queue, repeatable([jobOf(), jobOf({ delay: HOUR })]), addition);
    const before = await keysOf(queue);
    expect(before).to.include.members(['de:throttled', 'metrics:completed', 'repeat:later']);
    expect(before.some((key) => key.startsWith('jobgate:'))).to.equal(true);
    const removal = await replica.queueControl.remove(queue, false);
    expect(removal).to.include({ kind: 'removed', schedulers: 2 });
    expect(await keysOf(queue)).to.deep.equal([]);
  });

  // holds: queues.remove
  it('leaves other queues as they are, of names that begin or match alike', async () => {
    const queue = uniqueQueue();
    const others = [uniqueQueue(`-${queue}`), uniqueQueue('*'), uniqueQueue('[a]')];
    for (const each of [queue, ...others]) {
      await clients.queue(each).add('job', 1, { deduplication: { id: 'one', ttl: HOUR } });
    }
    const before = await Promise.all(others.map(keysOf));
    expect(await replica.queueControl.remove(queue, false)).to.include({ jobs: 1 });
    expect(await replica.queueControl.remove(others[1]!, false)).to.include({ jobs: 1 });
    expect(await keysOf(others[0]!)).to.deep.equal(before[0]);
    expect(await keysOf(others[2]!)).to.deep.equal(before[2]);
  });

  it('frees a queue that a native worker waits at for those who add again', async () => {
    const queue = uniqueQueue();
    await addOne(replica.queues, queue, { delay: HOUR });
    const worker = clients.closing(
      new Worker(queue, () => Promise.resolve('done'), { connection: clients.connection }),
    );
    await worker.waitUntilReady();
    await replica.queueControl.remove(queue, false);
    const completed = new Promise<string | undefined>((resolve) => {
      worker.on('completed', ({ id }) => resolve(id));
    });
    const { id } = await addOne(replica.queues, queue, { jobId: 'again' });
    expect(await completed).to.equal(id);
  });
});
