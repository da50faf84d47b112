import { setImmediate as turn } from 'node:timers/promises';
import { expect } from 'chai';
import { memoryAttempts } from '../../../src/adapters/outbound/memory/ports/memory-attempts.ts';
import { memoryQueues } from '../../../src/adapters/outbound/memory/ports/memory-queues.ts';
import { StoreRecords } from '../../../src/adapters/outbound/memory/records/store-records.ts';
import { ReplicaMemory } from '../../../src/adapters/outbound/postgres/rounds/replica-memory.ts';
import { SharedChanges } from '../../../src/adapters/outbound/postgres/rounds/shared-changes.ts';
import { addOne, take, uniqueQueue } from '../../contracts/queue-steps.ts';
import { FakeClock } from '../../support/fake-clock.ts';
import { memoryStore } from '../../support/memory-store.ts';

describe('ReplicaMemory', () => {
  for (const isCounted of [true, false]) {
    it(`keeps no list of the changes of a round that ${isCounted ? 'counts, and announces them' : 'failed, and announces nothing'}`, async () => {
      const changes = new SharedChanges();
      const records = new StoreRecords(changes);
      const queues = memoryStore(new FakeClock(), {}, records);
      const memory = new ReplicaMemory({ queues, records, changes });
      const queue = uniqueQueue();
      const announced: string[] = [];
      queues.eventSubscribers.subscribe(queue, (events) => {
        announced.push(...events.map(({ name }) => name));
      });
      const { id } = await addOne(memoryQueues(queues), queue);
      const changed = memory.takeChanges();
      expect(changes.isAddStored(queue, id)).to.equal(false);
      await turn();
      expect(announced).to.deep.equal([]);
      memory.endSteps(isCounted, changed, 1);
      await turn();
      expect(announced).to.deep.equal(isCounted ? ['added', 'waiting'] : []);
      expect(changes.isAddStored(queue, id)).to.equal(true);
    });
  }

  it('keeps what a step changed of a job whose earlier records are folded meanwhile', async () => {
    const changes = new SharedChanges();
    const records = new StoreRecords(changes);
    const queues = memoryStore(new FakeClock(), {}, records);
    const memory = new ReplicaMemory({ queues, records, changes });
    const queue = uniqueQueue();
    await addOne(memoryQueues(queues), queue);
    const attempts = memoryAttempts(queues);
    const attempt = await take(attempts, queue);
    memory.endSteps(true, memory.takeChanges(), 1);
    await attempts.settle(queue, attempt, { kind: 'completed', returnvalue: 'done' });
    memory.folded(1);
    const job = memory.takeChanges().find(({ kind }) => kind === 'job');
    expect(JSON.parse(job?.value ?? '')).to.include({ status: 'completed', returnvalue: '"done"' });
  });
});
