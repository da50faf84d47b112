import { expect } from 'chai';
import type { AccessToken } from '../../src/domain/access/access-token.ts';
import type { QueueHarness } from './queue-harness.ts';

let ids = 0;

function newToken(): AccessToken {
  ids += 1;
  return {
    id: `id${process.pid}-${ids}`,
    name: 'shop',
    hint: 'jg_…',
    secrets: [{ sha256: 'ab'.repeat(32), until: null }],
    rights: ['read'],
    queues: ['mail-*'],
    expires: null,
    addresses: null,
    createdAt: 1,
    createdBy: 'environment:1',
  };
}

/** What every AccessTokenStorePort promises. */
export function describeAccessTokenStorePort(
  name: string,
  createHarness: () => Promise<QueueHarness>,
): void {
  describe(`AccessTokenStorePort: ${name}`, () => {
    let harness: QueueHarness;

    before(async () => {
      harness = await createHarness();
    });
    after(() => harness.dispose());

    const find = async (id: string): Promise<AccessToken | undefined> => {
      const { accessTokens } = await harness.replica();
      const stored = await accessTokens.changedSince(undefined);
      return stored?.tokens.find((each) => each.id === id);
    };

    it('stores a token under an id once, for all replicas', async () => {
      const token = newToken();
      expect(await harness.accessTokens.create(token)).to.equal(true);
      expect(await harness.accessTokens.create({ ...token, name: 'other' })).to.equal(false);
      expect(await find(token.id)).to.deep.equal(token);
    });

    it('replaces what it was, and nothing else', async () => {
      const token = newToken();
      const changed = { ...token, name: 'store' };
      expect(await harness.accessTokens.replace(token, changed)).to.equal(false);
      await harness.accessTokens.create(token);
      expect(await harness.accessTokens.replace(changed, token)).to.equal(false);
      expect(await harness.accessTokens.replace(token, changed)).to.equal(true);
      expect(await harness.accessTokens.replace(token, changed)).to.equal(false);
      expect(await find(token.id)).to.deep.equal(changed);
    });

    it('removes a token once', async () => {
      const token = newToken();
      expect(await harness.accessTokens.remove(token.id)).to.equal(false);
      await harness.accessTokens.create(token);
      expect(await harness.accessTokens.remove(token.id)).to.equal(true);
      expect(await harness.accessTokens.remove(token.id)).to.equal(false);
      expect(await harness.accessTokens.replace(token, token)).to.equal(false);
      expect(await find(token.id)).to.equal(undefined);
    });

    it('reports the tokens after a change, and nothing without one', async () => {
      const { accessTokens } = await harness.replica();
      const token = newToken();
      await harness.accessTokens.create(token);
      for (const change of [
        () => harness.accessTokens.replace(token, { ...token, expires: 5 }),
        () => harness.accessTokens.remove(token.id),
      ]) {
        const before = await accessTokens.changedSince(undefined);
        expect(await accessTokens.changedSince(before?.version)).to.equal(undefined);
        await change();
        const after = await accessTokens.changedSince(before?.version);
        expect(after?.version).not.to.equal(before?.version);
        expect(after?.tokens).not.to.deep.equal(before?.tokens);
      }
    });

    it('remembers the latest use of tokens that exist', async () => {
      const { accessTokens } = await harness.replica();
      const [token, gone] = [newToken(), newToken()];
      const use = { id: token.id, at: 20, address: '::1' };
      await harness.accessTokens.create(token);
      expect(await accessTokens.uses([token.id])).to.deep.equal(new Map());
      const configured = { ...use, id: `file:${token.id}` };
      await accessTokens.recordUses([use, { ...use, id: gone.id }, configured]);
      await harness.accessTokens.recordUses([{ ...use, at: 10, address: '10.0.0.1' }]);
      const uses = await harness.accessTokens.uses([token.id, gone.id]);
      expect(uses).to.deep.equal(new Map([[token.id, use]]));
      expect(await harness.accessTokens.uses([configured.id])).to.deep.equal(
        new Map([[configured.id, configured]]),
      );
      await harness.accessTokens.remove(token.id);
      expect(await harness.accessTokens.uses([token.id])).to.deep.equal(new Map());
    });
  });
}
