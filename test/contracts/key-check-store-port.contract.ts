import { expect } from 'chai';
import type { KeyCheckStorePort } from '../../src/application/ports/key-check-store-port.ts';

/** What the suite needs of a store without check values. */
export interface KeyCheckStoreHarness {
  readonly store: KeyCheckStorePort;

  /** Another replica's adapter on the same values. */
  replica(): Promise<KeyCheckStorePort>;

  dispose(): Promise<void>;
}

/** What every KeyCheckStorePort promises. */
export function describeKeyCheckStorePort(
  name: string,
  createHarness: () => Promise<KeyCheckStoreHarness>,
): void {
  describe(`KeyCheckStorePort: ${name}`, () => {
    let harness: KeyCheckStoreHarness;

    beforeEach(async () => {
      harness = await createHarness();
    });
    afterEach(() => harness.dispose());

    it('has no value of a key that was never saved', async () => {
      await harness.store.saveFirst('2026a', 'one');
      expect(await harness.store.find('2026b')).to.equal(undefined);
    });

    it('keeps the first value of a key, whoever saves another one', async () => {
      const replica = await harness.replica();
      expect(await harness.store.saveFirst('2026a', 'one')).to.equal('one');
      expect(await replica.saveFirst('2026a', 'two')).to.equal('one');
      expect(await replica.saveFirst('2026b', 'two')).to.equal('two');
      expect(await harness.store.find('2026a')).to.equal('one');
      expect(await harness.store.find('2026b')).to.equal('two');
    });

    it('answers the same value to all who save one at once', async () => {
      const stores = [harness.store, await harness.replica()];
      const kept = await Promise.all(
        stores.flatMap((store, replica) =>
          Array.from({ length: 10 }, (_, call) => store.saveFirst('2026a', `${replica}-${call}`)),
        ),
      );
      expect(new Set(kept)).to.have.lengthOf(1);
      expect(await harness.store.find('2026a')).to.equal(kept[0]);
    });
  });
}
