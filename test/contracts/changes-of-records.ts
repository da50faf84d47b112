import { randomUUID } from 'node:crypto';
import { expect } from 'chai';
import type { AccessToken } from '../../src/domain/access/access-token.ts';
import { ACCESS_TOKENS } from './kinds-of-records.ts';
import type { QueueHarness } from './queue-harness.ts';

/** What a CollectionPort promises of a kind whose changes are listed. */
export function describeChangesOfRecords(harnessOf: () => QueueHarness): void {
  const put = async (id: string = randomUUID()): Promise<AccessToken> => {
    const token = ACCESS_TOKENS.plain(id, 0);
    await harnessOf().accessTokens.put(id, () => token);
    return token;
  };

  it('reports nothing without a change', async () => {
    const { accessTokens } = await harnessOf().replica();
    await put();
    const before = await accessTokens.changedSince(undefined);
    expect(await accessTokens.changedSince(before?.version)).to.equal(undefined);
    await harnessOf().accessTokens.put(randomUUID(), () => undefined);
    await harnessOf().accessTokens.remove(randomUUID());
    expect(await accessTokens.changedSince(before?.version)).to.equal(undefined);
  });

  // holds: tokens.bounds
  it('reports the records that changed, and no others', async () => {
    const { accessTokens } = await harnessOf().replica();
    const [changed, gone, same] = [await put(), await put(), await put()];
    const before = await accessTokens.changedSince(undefined);
    expect(before?.removed).to.equal(undefined);
    expect([...before!.records.values()]).to.deep.include.members([changed, gone, same]);
    const after = { ...changed, name: 'store' };
    await harnessOf().accessTokens.change(changed.id, () => after);
    const late = await put();
    await harnessOf().accessTokens.remove(late.id);
    await harnessOf().accessTokens.remove(gone.id);
    const changes = await accessTokens.changedSince(before?.version);
    expect(changes?.version).not.to.equal(before?.version);
    expect(changes?.records).to.deep.equal(new Map([[changed.id, after]]));
    expect(changes?.removed).to.have.members([late.id, gone.id]);
    expect(await accessTokens.changedSince(changes?.version)).to.equal(undefined);
  });

  it('reports each of many changes', async () => {
    const { accessTokens } = await harnessOf().replica();
    await put();
    const before = await accessTokens.changedSince(undefined);
    const tokens = await Promise.all(Array.from({ length: 250 }, () => put()));
    const changes = await accessTokens.changedSince(before?.version);
    expect(changes?.removed).to.deep.equal([]);
    expect([...changes!.records.values()]).to.have.deep.members(tokens);
  });

  it('reports all records to a replica that knows a version of another store', async () => {
    const token = await put();
    const changes = await harnessOf().accessTokens.changedSince('999999999-1');
    expect(changes?.removed).to.equal(undefined);
    expect(changes?.records.get(token.id)).to.deep.equal(token);
  });
}
