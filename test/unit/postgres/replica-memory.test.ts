import { setImmediate as turn } from 'node:timers/promises';
import { expect } from 'chai';
import { memoryAttempts } from '../../../src/adapters/outbound/memory/ports/memory-attempts.ts';
import { memoryQueues } from '../../../src/adapters/outbound/memory/ports/memory-queues.ts';
import { StoreRecords } from '../../../src/adapters/outbound/memory/records/store-records.ts';
import {
  latestChanges,
  type LogEntry,
} from '../../../src/adapters/outbound/postgres/log/log-entry.ts';
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

  it('knows the rounds that changed records which are not folded, its own and those of others', async () => {
    const changes = new SharedChanges();
    const records = new StoreRecords(changes);
    const queues = memoryStore(new FakeClock(), {}, records);
    const memory = new ReplicaMemory({ queues, records, changes });
    const queue = uniqueQueue();
    const { id } = await addOne(memoryQueues(queues), queue);
    const payload = { kind: 'payload', queue, id } as const;
    memory.endSteps(true, memory.takeChanges(), 4);
    await take(memoryAttempts(queues), queue);
    memory.endSteps(true, memory.takeChanges(), 5);
    const roundsOf = (key: object) => memory.unfolded.roundsOf([{ ...payload, ...key }]);
    expect([roundsOf({}), roundsOf({ kind: 'job' })]).to.deep.equal([[4], [5]]);
    const other = { kind: 'payload', queue, id: 'other', value: null };
    const text = JSON.stringify([other]);
    const entries: LogEntry[] = [
      { round: 6, replica: 'b', changes: text.replaceAll('other', 'sixth') },
      { round: 7, replica: 'b', changes: text },
    ];
    memory.take(latestChanges(entries), 7);
    expect([roundsOf({ id: 'sixth' }), roundsOf({ id: 'other' })]).to.deep.equal([[6], [7]]);
    const read = { round: 7, replica: '', changes: text, isOfSeveral: true } as const;
    memory.take(latestChanges([read]), 7);
    expect(roundsOf({ id: 'other' })).to.equal(undefined);
    memory.folded(6);
    expect([roundsOf({}), roundsOf({ id: 'sixth' })]).to.deep.equal([[], []]);
    expect(roundsOf({ id: 'other' })).to.equal(undefined);
    memory.folded(7);
    expect(roundsOf({ id: 'other' })).to.deep.equal([]);
  });
});
