import { once } from 'node:events';
import { QueueEvents, Worker } from 'bullmq';
import { expect } from 'chai';
import type { QueueName } from '../../../src/domain/queue-name.ts';
import { newJob } from '../../../src/domain/job.ts';
import {
  COMPLETED,
  countsOf,
  jobOf,
  read,
  take,
  uniqueQueue,
} from '../../contracts/queue-steps.ts';
import { dump } from '../../support/redis/queue-dump.ts';
import { NativeClients } from '../../support/redis/native-clients.ts';
import type { RedisReplica } from '../../support/redis/redis-stores.ts';
import { rejection } from '../../support/rejection.ts';

const ID = { id: 'customer-17' };
const LAST = { ...ID, keepLastIfActive: true };

describe('deduplication beside native BullMQ clients', () => {
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

  // holds: deduplication.native
  it('is seen by a native queue, which deduplicates by it', async () => {
    const [job] = await replica.queues.add(queue, [jobOf({ deduplication: ID })]);
    const native = clients.queue(queue);
    expect(await native.getDeduplicationJobId(ID.id)).to.equal(job?.id);
    const found = await native.getJob(job?.id ?? '');
    expect(found?.deduplicationId).to.equal(ID.id);
    expect(found?.opts.deduplication).to.deep.equal(ID);
    const second = await native.add('native', 1, { deduplication: ID });
    expect(second.id).to.equal(job?.id);
    expect((await countsOf(replica.queues, queue))['waiting']).to.equal(1);
  });

  // holds: deduplication.native
  it('of a native queue is followed here, and ended by either side', async () => {
    const native = clients.queue(queue);
    const job = await native.add('native', 1, { deduplication: ID });
    const [second] = await replica.queues.add(queue, [jobOf({ deduplication: ID })]);
    expect(second).to.include({ id: job.id, name: 'native', deduplicated: true });
    expect((await replica.queueControl.deduplication(queue, ID.id))?.jobId).to.equal(job.id);
    await replica.queueControl.endDeduplication(queue, ID.id);
    expect(await native.getDeduplicationJobId(ID.id)).to.equal(null);
    await replica.queues.add(queue, [jobOf({ deduplication: ID })]);
    await native.removeDeduplicationKey(ID.id);
    expect(await replica.queueControl.deduplication(queue, ID.id)).to.equal(undefined);
  });

  // holds: deduplication.native
  it('tells native listeners of the job that was not added', async () => {
    const events = clients.closing(
      new QueueEvents(queue, { connection: clients.connection, lastEventId: '0' }),
    );
    await events.waitUntilReady();
    const told = once(events, 'deduplicated');
    const [job] = await replica.queues.add(queue, [
      jobOf({ deduplication: ID }),
      jobOf({ deduplication: ID }),
    ]);
    const [event] = (await told) as [object];
    expect(event).to.deep.include({
      jobId: job?.id,
      deduplicationId: ID.id,
      deduplicatedJobId: '2',
    });
  });

  // holds: deduplication.native, deduplication.keep-last
  it('lets a native worker add the job that was kept for the end of its attempt', async () => {
    const data: unknown[] = [];
    const worker = clients.closing(
      new Worker(
        queue,
        async (job) => {
          data.push(job.data);
          if (data.length > 1) return;
          await replica.queues.add(queue, [jobOf({ deduplication: LAST }, 'lost')]);
          await replica.queues.add(queue, [jobOf({ deduplication: LAST }, 'last')]);
        },
        { connection: clients.connection },
      ),
    );
    await worker.waitUntilReady();
    const bothCompleted = new Promise<void>((resolve) => {
      worker.on('completed', () => {
        if (data.length === 2) resolve();
      });
    });
    await replica.queues.add(queue, [jobOf({ deduplication: LAST }, 'first')]);
    await bothCompleted;
    expect(data).to.deep.equal(['first', 'last']);
  });

  // holds: deduplication.keep-last
  it('keeps the options of the job that follows, numbers and lists as they were given', async () => {
    const opts = { retryFor: Number.MAX_SAFE_INTEGER, deduplication: LAST };
    const native = clients.queue(queue);
    await replica.queues.add(queue, [jobOf({ deduplication: LAST })]);
    const attempt = await take(replica.attempts, queue);
    await replica.queues.add(queue, [
      newJob({ name: 'next', data: { list: [], map: {} }, opts }, ''),
    ]);
    await replica.attempts.settle(queue, attempt, COMPLETED);
    const next = (await native.getDeduplicationJobId(ID.id)) ?? '';
    const job = await read(replica.queues, queue, next);
    expect(job.opts).to.deep.equal({ attempts: 0, delay: 0, ...opts });
    expect(job.data).to.deep.equal({ list: [], map: {} });
  });

  // holds: deduplication.batch
  it('adds none of a batch when a key of another type stands in its way', async () => {
    const qualified = `bull:${queue}`;
    const keys: readonly (readonly [string, () => Promise<unknown>])[] = [
      ['de:customer-17', () => clients.commands.hset(`${qualified}:de:customer-17`, 'a', 1)],
      ['delayed', () => clients.commands.set(`${qualified}:delayed`, 'text')],
      ['active', () => clients.commands.set(`${qualified}:active`, 'text')],
    ];
    for (const [key, set] of keys) {
      await set();
      const before = await dump(clients.commands, qualified);
      const jobs = [jobOf(), jobOf({ deduplication: ID }), jobOf({ delay: 1 })];
      const error = await rejection(replica.queues.add(queue, jobs));
      expect(error, key).to.include({ code: 'store-unavailable' });
      expect(await dump(clients.commands, qualified), key).to.deep.equal(before);
      await clients.commands.del(`${qualified}:${key}`);
    }
  });
});
