import { expect } from 'chai';
import { StoreRecords } from '../../../src/adapters/outbound/memory/records/store-records.ts';
import { ReplicaMemory } from '../../../src/adapters/outbound/postgres/rounds/replica-memory.ts';
import { Rounds } from '../../../src/adapters/outbound/postgres/rounds/rounds.ts';
import { SharedChanges } from '../../../src/adapters/outbound/postgres/rounds/shared-changes.ts';
import { FakeClock } from '../../support/fake-clock.ts';
import { memoryStore } from '../../support/memory-store.ts';
import { LogInMemory } from '../../support/postgres/log-in-memory.ts';
import { rejection } from '../../support/rejection.ts';

describe('a round whose changes cannot be written', () => {
  it('ends the replica, and every call of it, since its memory is ahead of the log', async () => {
    const changes = new SharedChanges();
    const records = new StoreRecords(changes);
    const queues = memoryStore(new FakeClock(), {}, records);
    const memory = new ReplicaMemory({ queues, records, changes });
    const log = new LogInMemory();
    const failures: Error[] = [];
    const rounds = new Rounds(log, log, memory, 'host:1', {
      committed: () => undefined,
      caughtUp: () => undefined,
      failed: (error) => failures.push(error),
    });
    rounds.open(0);
    records.keep('report', {
      read: () => {
        throw new Error('A part of job 1 is not in memory');
      },
      take: () => undefined,
    });
    const changing = rejection(
      rounds.change(() => {
        changes.note('report', '', '1');
      }),
    );
    const reading = rejection(rounds.read(() => 'read'));
    for (const refused of await Promise.all([changing, reading])) {
      expect(refused).to.include({ code: 'store-unavailable' });
    }
    expect(await rejection(rounds.change(() => 'later'))).to.include({ code: 'store-unavailable' });
    expect(failures.map(({ name, message }) => [name, message])).to.deep.equal([
      ['LogLostError', 'What a round changed cannot be written: A part of job 1 is not in memory'],
    ]);
  });
});
