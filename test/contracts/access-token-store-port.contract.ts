import { expect } from 'chai';
import type { AccessToken } from '../../src/domain/access/access-token.ts';
import { rejection } from '../support/rejection.ts';
import type { QueueHarness } from './queue-harness.ts';

/** As many tokens as no test makes. */
const MOST = 1_000_000;

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
      expect(await harness.accessTokens.create(token, MOST)).to.equal(true);
      expect(await harness.accessTokens.create({ ...token, name: 'other' }, MOST)).to.equal(false);
      expect(await find(token.id)).to.deep.equal(token);
    });

    it('replaces what it was, and nothing else', async () => {
      const token = newToken();
      const changed = { ...token, name: 'store' };
      expect(await harness.accessTokens.replace(token, changed)).to.equal(false);
      await harness.accessTokens.create(token, MOST);
      expect(await harness.accessTokens.replace(changed, token)).to.equal(false);
      expect(await harness.accessTokens.replace(token, changed)).to.equal(true);
      expect(await harness.accessTokens.replace(token, changed)).to.equal(false);
      expect(await find(token.id)).to.deep.equal(changed);
    });

    it('removes a token once', async () => {
      const token = newToken();
      expect(await harness.accessTokens.remove(token.id)).to.equal(false);
      await harness.accessTokens.create(token, MOST);
      expect(await harness.accessTokens.remove(token.id)).to.equal(true);
      expect(await harness.accessTokens.remove(token.id)).to.equal(false);
      expect(await harness.accessTokens.replace(token, token)).to.equal(false);
      expect(await find(token.id)).to.equal(undefined);
    });

    // holds: tokens.bounds
    it('stores no token beyond the most that there may be', async () => {
      const { accessTokens } = await harness.replica();
      await accessTokens.create(newToken(), MOST);
      const { length } = (await accessTokens.changedSince(undefined))?.tokens ?? [];
      const [last, excess] = [newToken(), newToken()];
      expect(await accessTokens.create(last, length + 1)).to.equal(true);
      const refused = await rejection(accessTokens.create(excess, length + 1));
      expect(refused).to.include({ code: 'too-many-tokens' });
      expect(await accessTokens.replace(last, { ...last, name: 'store' })).to.equal(true);
      await accessTokens.remove(last.id);
      expect(await accessTokens.create(excess, length + 1)).to.equal(true);
    });

    it('reports nothing without a change', async () => {
      const { accessTokens } = await harness.replica();
      await harness.accessTokens.create(newToken(), MOST);
      const before = await accessTokens.changedSince(undefined);
      expect(await accessTokens.changedSince(before?.version)).to.equal(undefined);
    });

    // holds: tokens.bounds
    it('reports the tokens that changed, and no others', async () => {
      const { accessTokens } = await harness.replica();
      const [changed, gone, same] = [newToken(), newToken(), newToken()];
      for (const token of [changed, gone, same]) await harness.accessTokens.create(token, MOST);
      const before = await accessTokens.changedSince(undefined);
      expect(before?.isWhole).to.equal(true);
      expect(before?.tokens).to.deep.include.members([changed, gone, same]);
      const late = newToken();
      const after = { ...changed, name: 'store' };
      await harness.accessTokens.replace(changed, after);
      await harness.accessTokens.create(late, MOST);
      await harness.accessTokens.remove(late.id);
      await harness.accessTokens.remove(gone.id);
      const changes = await accessTokens.changedSince(before?.version);
      expect(changes?.version).not.to.equal(before?.version);
      expect(changes?.isWhole).to.equal(false);
      expect(changes?.tokens).to.deep.equal([after]);
      expect(changes?.removed).to.have.members([late.id, gone.id]);
      expect(await accessTokens.changedSince(changes?.version)).to.equal(undefined);
    });

    it('reports each of many changes', async () => {
      const { accessTokens } = await harness.replica();
      await harness.accessTokens.create(newToken(), MOST);
      const before = await accessTokens.changedSince(undefined);
      const tokens = Array.from({ length: 250 }, newToken);
      await Promise.all(tokens.map((token) => harness.accessTokens.create(token, MOST)));
      const changes = await accessTokens.changedSince(before?.version);
      expect(changes?.isWhole).to.equal(false);
      expect(changes?.tokens).to.have.deep.members(tokens);
    });

    it('reports all tokens to a replica that knows a version of another store', async () => {
      const token = newToken();
      await harness.accessTokens.create(token, MOST);
      const changes = await harness.accessTokens.changedSince('999999999:1-1');
      expect(changes?.isWhole).to.equal(true);
      expect(changes?.tokens).to.deep.include(token);
    });

    it('remembers the latest use of tokens that exist', async () => {
      const { accessTokens } = await harness.replica();
      const [token, gone] = [newToken(), newToken()];
      const use = { id: token.id, at: 20, address: '::1' };
      await harness.accessTokens.create(token, MOST);
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
