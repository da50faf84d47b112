import { expect } from 'chai';
import { memoryGroups } from '../../../src/adapters/outbound/memory/ports/memory-groups.ts';
import { memoryQueues } from '../../../src/adapters/outbound/memory/ports/memory-queues.ts';
import type { MemoryStore } from '../../../src/adapters/outbound/memory/state/memory-store.ts';
import type { Database, SqlRow } from '../../../src/adapters/outbound/postgres/driver/database.ts';
import { WaitingInGroups } from '../../../src/adapters/outbound/postgres/inbox/waiting-in-groups.ts';
import type { QueueName } from '../../../src/domain/queues/queue-name.ts';
import { jobOf, uniqueQueue } from '../../contracts/queue-steps.ts';
import { FakeClock } from '../../support/fake-clock.ts';
import { memoryStore } from '../../support/memory-store.ts';
import { rejection } from '../../support/rejection.ts';

/** A database without rows that notes what is to be written. */
class WrittenCounts implements Pick<Database, 'query'> {
  readonly jobs = new Map<string, number>();
  most = 0;
  isAway = false;

  query<Row extends SqlRow>(text: string, values: readonly unknown[] = []): Promise<Row[]> {
    if (text.startsWith('SELECT')) return Promise.resolve([]);
    if (this.isAway) return Promise.reject(new Error('The server is away'));
    const [, ids = [], counts = []] = values as readonly string[][];
    expect(new Set(ids).size).to.equal(ids.length);
    this.most = Math.max(this.most, ids.length);
    ids.forEach((id, index) => this.jobs.set(id, Number(counts[index])));
    return Promise.resolve([]);
  }
}

describe('WaitingInGroups', () => {
  let queue: QueueName;
  let queues: MemoryStore;
  let written: WrittenCounts;
  let counts: WaitingInGroups;

  beforeEach(async () => {
    queue = uniqueQueue();
    queues = memoryStore(new FakeClock());
    written = new WrittenCounts();
    counts = new WaitingInGroups(written as unknown as Database, 'jobgate', queues, queues.records);
    await memoryGroups(queues).saveSettings(queue, 'a', { maxWaiting: 5 });
    await counts.publish();
  });

  const add = (...groups: string[]): Promise<unknown> =>
    memoryQueues(queues).add(
      queue,
      groups.map((id) => jobOf({ group: { id } })),
    );

  it('writes again what could not be written', async () => {
    await add('a', 'b', 'b');
    written.isAway = true;
    await rejection(counts.publish());
    await add('a');
    written.isAway = false;
    await counts.publish();
    expect(Object.fromEntries(written.jobs)).to.deep.equal({ a: 2, b: 2 });
  });

  it('counts all groups, however many changed, so many at a time', async () => {
    const groups = Array.from({ length: 100_500 }, (_, index) => `g${index}`);
    await add(...groups);
    for (let time = 0; time < 15; time += 1) await counts.publish();
    expect(written.jobs.size).to.equal(groups.length + 1);
    expect([...written.jobs.values()].filter((jobs) => jobs === 1)).to.have.length(groups.length);
    expect(written.most).to.be.within(10_000, 21_000);
  });
});
