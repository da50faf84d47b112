import { expect } from 'chai';
import { makeHeldCalls } from '../../../src/adapters/outbound/memory/ports/held-calls.ts';
import { KeptValues } from '../../../src/adapters/outbound/memory/records/kept-values.ts';
import { StoreRecords } from '../../../src/adapters/outbound/memory/records/store-records.ts';
import type { MemoryStore } from '../../../src/adapters/outbound/memory/state/memory-store.ts';
import { CALLBACK_QUEUE, queueOfHeld } from '../../../src/domain/queues/own-queue.ts';
import { FakeClock } from '../../support/fake-clock.ts';
import { memoryStore } from '../../support/memory-store.ts';

describe('calls that were held back and are on a disk', () => {
  const HELD = queueOfHeld('mail');
  const ID = 'mail:1:completed:1';
  let isReadable: boolean;
  let store: MemoryStore;

  beforeEach(() => {
    isReadable = true;
    const kept = new KeptValues();
    const data = JSON.stringify({ callback: { url: 'https://example.com/done' } });
    const opts = '{"attempts":8,"delay":0}';
    const payload = JSON.stringify({ name: 'callback', data, opts });
    kept.readFrom({
      find: (groups) =>
        isReadable
          ? Promise.resolve(groups.map(() => [payload]))
          : Promise.reject(new Error('The disk does not answer')),
    });
    const records = new StoreRecords(undefined, kept);
    store = memoryStore(new FakeClock(), {}, records);
    const position = { rank: 0, order: 1 };
    const job = { id: ID, name: 'callback', timestamp: 0, status: 'waiting', position };
    records.restore('job', HELD, ID, job);
    store.restored();
    const { jobs } = store.open(HELD);
    jobs.isAtHand(jobs.in.waiting.first()!);
  });

  const made = (): number => store.find(CALLBACK_QUEUE)?.jobs.in.waiting.size ?? 0;

  it('are made once they are read', async () => {
    await makeHeldCalls(store);
    expect(made()).to.equal(1);
  });

  it('leave the end of another call as it is when they cannot be read, and are made the next time', async () => {
    isReadable = false;
    await makeHeldCalls(store);
    expect(made()).to.equal(0);
    isReadable = true;
    await makeHeldCalls(store);
    expect(made()).to.equal(1);
  });
});
