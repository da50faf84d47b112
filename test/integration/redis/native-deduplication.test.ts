import { once } from 'node:events';
import { expect } from 'chai';
import { newJob } from '../../../src/domain/jobs/job.ts';
import { COMPLETED, countsOf, jobOf, read, take } from '../../contracts/queue-steps.ts';
import { dump } from '../../support/redis/queue-dump.ts';
import { describeBesideNative } from '../../support/redis/beside-native.ts';
import { rejection } from '../../support/rejection.ts';

const ID = { id: 'customer-17' };
const LAST = { ...ID, keepLastIfActive: true };

describeBesideNative('deduplication beside native BullMQ clients', (clients) => {
  // holds: deduplication.native
  it('is seen by a native queue, which deduplicates by it', async () => {
    const [job] = await clients.replica.queues.add(clients.name, [jobOf({ deduplication: ID })]);
    const native = clients.queue();
    expect(await native.getDeduplicationJobId(ID.id)).to.equal(job?.id);
    const found = await native.getJob(job?.id ?? '');
    expect(found?.deduplicationId).to.equal(ID.id);
    expect(found?.opts.deduplication).to.deep.equal(ID);
    const second = await native.add('native', 1, { deduplication: ID });
    expect(second.id).to.equal(job?.id);
    expect((await countsOf(clients.replica.queues, clients.name))['waiting']).to.equal(1);
  });

  // holds: deduplication.native
  it('of a native queue is followed here, and ended by either side', async () => {
    const native = clients.queue();
    const job = await native.add('native', 1, { deduplication: ID });
    const [second] = await clients.replica.queues.add(clients.name, [jobOf({ deduplication: ID })]);
    expect(second).to.include({ id: job.id, name: 'native', deduplicated: true });
    expect((await clients.replica.queueControl.deduplication(clients.name, ID.id))?.jobId).to.equal(
      job.id,
    );
    await clients.replica.queueControl.endDeduplication(clients.name, ID.id);
    expect(await native.getDeduplicationJobId(ID.id)).to.equal(null);
    await clients.replica.queues.add(clients.name, [jobOf({ deduplication: ID })]);
    await native.removeDeduplicationKey(ID.id);
    expect(await clients.replica.queueControl.deduplication(clients.name, ID.id)).to.equal(
      undefined,
    );
  });

  // holds: deduplication.native
  it('reports the job that was not added to native listeners', async () => {
    const events = clients.events(clients.name, { lastEventId: '0' });
    await events.waitUntilReady();
    const reported = once(events, 'deduplicated');
    const [job] = await clients.replica.queues.add(clients.name, [
      jobOf({ deduplication: ID }),
      jobOf({ deduplication: ID }),
    ]);
    const [event] = (await reported) as [object];
    expect(event).to.deep.include({
      jobId: job?.id,
      deduplicationId: ID.id,
      deduplicatedJobId: '2',
    });
  });

  // holds: deduplication.native, deduplication.keep-last
  it('lets a native worker add the job that was kept for the end of its attempt', async () => {
    const data: unknown[] = [];
    const worker = clients.worker(clients.name, async (job) => {
      data.push(job.data);
      if (data.length > 1) return;
      await clients.replica.queues.add(clients.name, [jobOf({ deduplication: LAST }, 'lost')]);
      await clients.replica.queues.add(clients.name, [jobOf({ deduplication: LAST }, 'last')]);
    });
    await worker.waitUntilReady();
    const bothCompleted = new Promise<void>((resolve) => {
      worker.on('completed', () => {
        if (data.length === 2) resolve();
      });
    });
    await clients.replica.queues.add(clients.name, [jobOf({ deduplication: LAST }, 'first')]);
    await bothCompleted;
    expect(data).to.deep.equal(['first', 'last']);
  });

  // holds: deduplication.keep-last
  it('keeps the options of the job that follows, numbers and lists as they were given', async () => {
    const opts = { retryFor: Number.MAX_SAFE_INTEGER, deduplication: LAST };
    const native = clients.queue();
    await clients.replica.queues.add(clients.name, [jobOf({ deduplication: LAST })]);
    const attempt = await take(clients.replica.attempts, clients.name);
    await clients.replica.queues.add(clients.name, [
      newJob({ name: 'next', data: { list: [], map: {} }, opts }, ''),
    ]);
    await clients.replica.attempts.settle(clients.name, attempt, COMPLETED);
    const next = (await native.getDeduplicationJobId(ID.id)) ?? '';
    const job = await read(clients.replica.queues, clients.name, next);
    expect(job.opts).to.deep.equal({ attempts: 0, delay: 0, ...opts });
    expect(job.data).to.deep.equal({ list: [], map: {} });
  });

  // holds: deduplication.batch
  it('adds none of a batch when a key of another type stands in its way', async () => {
    const qualified = `bull:${clients.name}`;
    const keys: readonly (readonly [string, () => Promise<unknown>])[] = [
      ['de:customer-17', () => clients.commands.hset(`${qualified}:de:customer-17`, 'a', 1)],
      ['delayed', () => clients.commands.set(`${qualified}:delayed`, 'text')],
      ['active', () => clients.commands.set(`${qualified}:active`, 'text')],
    ];
    for (const [key, set] of keys) {
      await set();
      const before = await dump(clients.commands, qualified);
      const jobs = [jobOf(), jobOf({ deduplication: ID }), jobOf({ delay: 1 })];
      const error = await rejection(clients.replica.queues.add(clients.name, jobs));
      expect(error, key).to.include({ code: 'store-unavailable' });
      expect(await dump(clients.commands, qualified), key).to.deep.equal(before);
      await clients.commands.del(`${qualified}:${key}`);
    }
  });
});
