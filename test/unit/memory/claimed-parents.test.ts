import { expect } from 'chai';
import { memoryAttempts } from '../../../src/adapters/outbound/memory/ports/memory-attempts.ts';
import { childRecordId } from '../../../src/adapters/outbound/memory/records/job-record.ts';
import { KeptValues } from '../../../src/adapters/outbound/memory/records/kept-values.ts';
import { StoreRecords } from '../../../src/adapters/outbound/memory/records/store-records.ts';
import { RecentPayloads } from '../../../src/adapters/outbound/memory/state/recent-payloads.ts';
import type { MemoryStore } from '../../../src/adapters/outbound/memory/state/memory-store.ts';
import { ANY, claimOf } from '../../contracts/queue-steps.ts';
import { FakeClock } from '../../support/fake-clock.ts';
import { memoryStore } from '../../support/memory-store.ts';
import { queueNamed } from '../../support/queue-named.ts';

const QUEUE = queueNamed('reports');
const CHILDREN = queueNamed('parts');
const PARENT = 'parent';

describe('a parent whose children have what they returned on a disk', () => {
  let store: MemoryStore;
  let isReadable: boolean;
  let finds: number;

  beforeEach(() => {
    isReadable = true;
    finds = 0;
    const values = new Map<string, object>([
      [PARENT, { name: 'report', data: '1', opts: '{"attempts":1,"delay":0}' }],
    ]);
    const kept = new KeptValues();
    // Whatever is on the disk leaves the memory with each read, which has one value.
    kept.readFrom({
      find: (groups) => {
        finds += 1;
        if (!isReadable) return Promise.reject(new Error('The disk does not answer'));
        store.open(QUEUE).jobs.makeRoom();
        const found = groups.map((keys) => keys.map(({ id }) => JSON.stringify(values.get(id))));
        return Promise.resolve(found.slice(0, 1));
      },
    });
    const payloads = new RecentPayloads(0, ({ of }) => of === 'child');
    const records = new StoreRecords(undefined, kept, payloads);
    store = memoryStore(new FakeClock(), {}, records);
    const position = { rank: 0, order: 1 };
    const job = { id: PARENT, name: 'report', timestamp: 0, status: 'waiting', isParent: true };
    records.restore('job', QUEUE, PARENT, { ...job, position });
    for (const number of [1, 2, 3]) {
      const id = childRecordId(PARENT, { queue: CHILDREN, id: `part-${number}` });
      const ending = { state: 'completed', returnvalue: JSON.stringify(`text ${number}`) };
      const child = { number, onFailure: 'wait', ending };
      values.set(id, child);
      records.restore('child', QUEUE, id, child);
    }
    records.restored();
    store.restored();
  });

  // holds: store.children, flows.children
  it('is claimed with all of them, however soon they leave the memory', async () => {
    const claim = await memoryAttempts(store).claim(QUEUE, claimOf(ANY));
    expect(finds).to.equal(4);
    const children = claim.kind === 'attempt' ? claim.attempt.children : undefined;
    const texts = ['text 1', 'text 2', 'text 3'];
    expect(children?.map(({ returnvalue }) => returnvalue)).to.deep.equal(texts);
  });

  // holds: store.children
  it('is not claimed when they cannot be read', async () => {
    isReadable = false;
    const attempts = memoryAttempts(store);
    const refused = await attempts.claim(QUEUE, claimOf(ANY)).catch((error: unknown) => error);
    expect(refused).to.have.property('code', 'store-unavailable');
    expect(store.find(QUEUE)?.jobs.in.waiting.size).to.equal(1);
    isReadable = true;
    const claim = await attempts.claim(QUEUE, claimOf(ANY));
    expect(claim).to.have.nested.property('attempt.children').with.lengthOf(3);
  });
});
