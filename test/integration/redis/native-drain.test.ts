import type { JobsOptions } from 'bullmq';
import { expect } from 'chai';
import type { QueueName } from '../../../src/domain/queues/queue-name.ts';
import { jobOf, uniqueQueue } from '../../contracts/queue-steps.ts';
import { dump } from '../../support/redis/queue-dump.ts';
import { describeBesideNative } from '../../support/redis/beside-native.ts';

const HOUR = 3_600_000;

describeBesideNative('draining what native BullMQ clients added', (clients) => {
  /** The keys that are left, by their names after that of the queue. */
  async function keysLeft(queue: QueueName): Promise<string[]> {
    return Object.keys(await dump(clients.commands, `bull:${queue}`));
  }

  // holds: queues.drain-schedulers
  it('leaves the next job of each scheduler, delayed or waiting, and the schedules go on', async () => {
    const queue = uniqueQueue();
    const native = clients.queue(queue);
    await native.upsertJobScheduler('later', { every: HOUR, startDate: Date.now() + HOUR });
    await native.upsertJobScheduler('a:b', { pattern: '0 0 1 1 *' });
    await native.upsertJobScheduler('now', { every: HOUR });
    await native.upsertJobScheduler('first', { every: HOUR }, { opts: { priority: 5 } });
    const next = (await keysLeft(queue)).filter((key) => /^repeat:.*:\d+$/.test(key));
    expect(next).to.have.lengthOf(4);
    await clients.replica.queues.add(queue, [
      ...Array.from({ length: 1200 }, () => jobOf()),
      ...Array.from({ length: 1200 }, () => jobOf({ priority: 5 })),
      ...Array.from({ length: 1200 }, () => jobOf({ delay: 2 * HOUR })),
      jobOf({ delay: 1 }),
    ]);
    expect(await clients.replica.queueControl.drain(queue, { delayed: true })).to.equal(3601);
    const kept = (await keysLeft(queue)).filter((key) => /^(repeat:.*:)?\d+$/.test(key));
    expect(kept).to.deep.equal(next);
    const { counts } = await clients.replica.queues.summary(queue);
    expect(counts).to.include({ waiting: 1, prioritized: 1, delayed: 2 });
    expect(await native.getJobSchedulersCount()).to.equal(4);
  });

  // holds: queues.drain
  it('leaves of families and of deduplicated jobs what the library leaves', async () => {
    const flows = clients.flows();
    const [here, there] = [uniqueQueue(), uniqueQueue()];
    const elsewhere = (queue: QueueName): QueueName => `${queue}-parents` as QueueName;
    for (const queue of [here, there]) {
      const native = clients.queue(queue);
      const child = (opts: JobsOptions = {}) => ({ name: 'child', queueName: queue, opts });
      const parents = [
        { name: 'parent', queueName: queue, children: [child(), child()] },
        { name: 'parent', queueName: queue, children: [child(), child({ delay: HOUR })] },
        { name: 'parent', queueName: elsewhere(queue), children: [child(), child()] },
        { name: 'parent', queueName: elsewhere(queue), children: [child({ delay: HOUR })] },
      ];
      for (const [index, parent] of parents.entries()) {
        const numbered = parent.children.map((each, position) => ({
          ...each,
          opts: { ...each.opts, jobId: `child-${index}-${position}` },
        }));
        await flows.add({ ...parent, children: numbered, opts: { jobId: `parent-${index}` } });
      }
      await native.add('once', 1, { jobId: 'once', deduplication: { id: 'one' } });
      await native.add('plain', 1, { jobId: 'plain' });
    }
    for (const delayed of [false, true]) {
      await clients.queue(there).drain(delayed);
      await clients.replica.queueControl.drain(here, { delayed });
      for (const [ours, theirs] of [
        [here, there],
        [elsewhere(here), elsewhere(there)],
      ] as const) {
        const left = await contents(ours, here);
        expect(left).to.deep.equal(await contents(theirs, there));
      }
    }
    expect(await keysLeft(here)).not.to.include.members(['once', 'plain', 'de:one']);
    expect((await clients.replica.queues.summary(elsewhere(here))).counts).to.include({
      waiting: 2,
    });
  });

  /** What is left of a queue, but for times, under one name whatever the queues are called. */
  async function contents(queue: QueueName, base: QueueName): Promise<unknown> {
    const left = Object.entries(await dump(clients.commands, `bull:${queue}`));
    const kept = left.filter(([key]) => key !== 'meta' && key !== 'events');
    const text = JSON.stringify(kept).replaceAll(base, 'base');
    return JSON.parse(text.replace(/\d{13,}/g, 'time'));
  }
});
