import { expect } from 'chai';
import { memoryCollection } from '../../../src/adapters/outbound/memory/ports/memory-collection.ts';
import { memoryOneTimeStore } from '../../../src/adapters/outbound/memory/ports/memory-one-time-store.ts';
import { memorySessions } from '../../../src/adapters/outbound/memory/ports/memory-sessions.ts';
import { StoreRecords } from '../../../src/adapters/outbound/memory/records/store-records.ts';
import type { RecordKind } from '../../../src/adapters/outbound/memory/records/record-changes.ts';
import { ACCESS_TOKENS } from '../../../src/application/kept/access-tokens.ts';
import { FakeClock } from '../../support/fake-clock.ts';

const BOUNDS = { owner: 'shop', life: 60_000, most: 2 };

describe('Records that are read at the start', () => {
  let clock: FakeClock;
  let written: [kind: RecordKind, id: string][];
  let before: StoreRecords;

  beforeEach(() => {
    clock = new FakeClock();
    written = [];
    before = new StoreRecords({
      note: (kind, _, id) => written.push([kind, id]),
      announce: (run) => {
        run();
      },
    });
  });

  /** Another store with what was written, by ids. */
  const restarted = <Store>(make: (records: StoreRecords) => Store): Store => {
    const records = new StoreRecords();
    const store = make(records);
    for (const [kind, id] of [...new Map(written.map((each) => [each[1], each])).values()].sort()) {
      const record = before.read(kind, '', id);
      if (record !== undefined) records.restore(kind, '', id, record);
    }
    records.restored();
    return store;
  };

  // holds: tickets.bounds, mcp.code-bounds
  it('count for the bound of their owner, of which the oldest ends', async () => {
    const store = memoryOneTimeStore<string>(clock, before, 'ticket');
    for (const secret of ['one', 'two']) {
      await store.save(secret, secret, BOUNDS);
      await clock.advance(1);
    }
    const later = restarted((records) => memoryOneTimeStore<string>(clock, records, 'ticket'));
    await later.save('three', 'three', BOUNDS);
    expect(await later.take('one')).to.equal(undefined);
    expect(await later.take('two')).to.equal('two');
    expect(await later.take('three')).to.equal('three');
  });

  // holds: sessions.bounds
  it('are the sessions of their token, of which the oldest ends', async () => {
    const session = (id: string, createdAt: number) => {
      const times = { createdAt, lastSeenAt: createdAt };
      return { id, sha256: id, tokenSha256: '', holder: 'shop', address: '::1', ...times };
    };
    const store = memorySessions(clock, before);
    for (const id of ['b', 'a']) {
      await store.create(session(id, clock.now()), BOUNDS.life, BOUNDS.most);
      await clock.advance(1);
    }
    const later = restarted((records) => memorySessions(clock, records));
    expect(await later.ofHolder('shop')).to.have.lengthOf(2);
    await later.create(session('c', clock.now()), BOUNDS.life, BOUNDS.most);
    expect((await later.ofHolder('shop')).map(({ id }) => id)).to.have.members(['a', 'c']);
  });

  // holds: tokens.revoke
  it('are a state of the tokens that replicas follow', async () => {
    const store = memoryCollection(before, ACCESS_TOKENS);
    const token = {
      id: 'id',
      name: 'shop',
      hint: 'jg_…',
      secrets: [{ sha256: 'ab', until: null }],
      rights: [],
      queues: null,
      expires: null,
      addresses: null,
      createdAt: 1,
      createdBy: 'environment:1',
    };
    await store.put('id', () => token);
    const later = restarted((records) => memoryCollection(records, ACCESS_TOKENS));
    const known = await later.changedSince(undefined);
    expect(known?.version).not.to.equal('');
    await later.remove('id');
    const changes = await later.changedSince(known?.version);
    expect(changes?.removed).to.deep.equal(['id']);
  });
});
