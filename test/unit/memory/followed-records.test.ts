import { expect } from 'chai';
import { memoryCollection } from '../../../src/adapters/outbound/memory/ports/memory-collection.ts';
import { StoreRecords } from '../../../src/adapters/outbound/memory/records/store-records.ts';
import { ACCESS_TOKENS } from '../../../src/application/kept/access-tokens.ts';
import type { Collection } from '../../../src/application/kept/collection.ts';
import { HOOKS } from '../../../src/application/kept/hooks.ts';

/** How many changes are noted after one. */
async function changesOf<Kept extends object>(collection: Collection<Kept>): Promise<number> {
  const store = memoryCollection(new StoreRecords(), collection);
  await store.put('id', () => ({ id: 'id' }) as never);
  return Number((await store.changedSince(undefined))?.version);
}

describe('kept records in memory', () => {
  it('have their changes noted where replicas follow them', async () => {
    expect(await changesOf(ACCESS_TOKENS)).to.equal(1);
    expect(await changesOf(HOOKS)).to.equal(0);
  });
});
