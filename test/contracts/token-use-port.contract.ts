import { randomUUID } from 'node:crypto';
import { expect } from 'chai';
import { ACCESS_TOKENS } from './kinds-of-records.ts';
import type { QueueHarness } from './queue-harness.ts';

/** What every TokenUsePort promises. */
export function describeTokenUsePort(
  name: string,
  createHarness: () => Promise<QueueHarness>,
): void {
  describe(`TokenUsePort: ${name}`, () => {
    let harness: QueueHarness;

    before(async () => {
      harness = await createHarness();
    });
    after(() => harness.dispose());

    it('remembers the latest use of tokens that exist', async () => {
      const { tokenUses } = await harness.replica();
      const [id, gone] = [randomUUID(), randomUUID()];
      const use = { id, at: 20, address: '::1' };
      await harness.accessTokens.put(id, () => ACCESS_TOKENS.plain(id, 0));
      expect(await tokenUses.of([id])).to.deep.equal(new Map());
      const configured = { ...use, id: `file:${id}` };
      await tokenUses.record([use, { ...use, id: gone }, configured]);
      await harness.tokenUses.record([{ ...use, at: 10, address: '10.0.0.1' }]);
      expect(await harness.tokenUses.of([id, gone])).to.deep.equal(new Map([[id, use]]));
      expect(await harness.tokenUses.of([configured.id])).to.deep.equal(
        new Map([[configured.id, configured]]),
      );
    });

    it('forgets the uses of a token that was removed', async () => {
      const { tokenUses } = await harness.replica();
      const id = randomUUID();
      const use = { id, at: 20, address: '::1' };
      await harness.accessTokens.put(id, () => ACCESS_TOKENS.plain(id, 0));
      await tokenUses.record([use]);
      await harness.accessTokens.remove(id);
      await harness.tokenUses.forget([id]);
      await tokenUses.record([{ ...use, at: 30 }]);
      expect(await tokenUses.of([id])).to.deep.equal(new Map());
    });
  });
}
