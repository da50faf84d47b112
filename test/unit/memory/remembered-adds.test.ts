import { expect } from 'chai';
import { MOST_REMEMBERED, REMEMBERED_FOR } from '../../../src/domain/jobs/add-identity.ts';
import { StoredAdds } from '../../../src/adapters/outbound/memory/state/stored-adds.ts';
import type { RememberedAdd } from '../../../src/domain/records/remembered-add.ts';
import { rememberAdd, rememberedAdd } from '../../../src/domain/transitions/add-once.ts';

function addAt(timestamp: number, ...existing: readonly string[]): RememberedAdd {
  return {
    body: 'digest',
    defaults: {},
    timestamp,
    firstId: 1,
    existing: new Map(existing.map((id, n) => [n, { id, isDeduplicated: false }])),
  };
}

describe('adds that are remembered in memory', () => {
  const remember = (adds: StoredAdds, key: string, add: RememberedAdd): void => {
    rememberAdd(adds, key, add, add.timestamp);
  };

  // holds: idempotency.bounds
  it('are bounded in number, and the oldest are forgotten first', () => {
    const adds = new StoredAdds(() => undefined);
    for (let n = 0; n <= MOST_REMEMBERED; n += 1) remember(adds, `key-${n}`, addAt(0));
    expect(rememberedAdd(adds, 'key-0', 0)).to.equal(undefined);
    expect(rememberedAdd(adds, 'key-1', 0)).not.to.equal(undefined);
    const long = Array.from({ length: 20 }, (_, n) => `${n}-${'x'.repeat(200)}`);
    remember(adds, 'long', addAt(0, ...long));
    expect(rememberedAdd(adds, 'key-4', 0)).to.equal(undefined);
    expect(rememberedAdd(adds, 'key-6', 0)).not.to.equal(undefined);
  });

  // holds: idempotency.time, idempotency.bounds
  it('are forgotten when their time is over', () => {
    const adds = new StoredAdds(() => undefined);
    remember(adds, 'old', addAt(0));
    remember(adds, 'new', addAt(1000));
    expect(rememberedAdd(adds, 'old', REMEMBERED_FOR)).to.equal(undefined);
    expect(rememberedAdd(adds, 'new', REMEMBERED_FOR)).not.to.equal(undefined);
    remember(adds, 'old', addAt(REMEMBERED_FOR));
    remember(adds, 'newest', addAt(REMEMBERED_FOR + 1000));
    expect(rememberedAdd(adds, 'old', REMEMBERED_FOR + 1000)).not.to.equal(undefined);
  });
});
