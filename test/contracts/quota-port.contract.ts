import { randomUUID } from 'node:crypto';
import { expect } from 'chai';
import type { QueueHarness } from './queue-harness.ts';

/** What every QuotaPort promises. */
export function describeQuotaPort(name: string, createHarness: () => Promise<QueueHarness>): void {
  describe(`QuotaPort: ${name}`, () => {
    let harness: QueueHarness;

    before(async () => {
      harness = await createHarness();
    });
    after(() => harness.dispose());

    it('leases no more than there is, to all replicas together', async () => {
      const other = await harness.replica();
      const key = randomUUID();
      const quota = { wanted: 3, max: 10, duration: 60_000 };
      const leases = await Promise.all(
        [harness, other, harness, other, harness].map(({ quotas }) => quotas.lease(key, quota)),
      );
      expect(leases.map(({ granted }) => granted).sort()).to.deep.equal([0, 1, 3, 3, 3]);
      expect(Math.min(...leases.map(({ left }) => left))).to.equal(0);
      for (const { endsIn } of leases) expect(endsIn).to.be.within(50_000, 60_000);
      expect((await harness.quotas.lease(randomUUID(), quota)).granted).to.equal(3);
    });

    it('has a whole quota again after its time, which begins with the first lease', async () => {
      const key = randomUUID();
      const quota = { wanted: 6, max: 10, duration: 60_000 };
      await harness.quotas.lease(key, quota);
      await harness.advance(40_000);
      const { granted, endsIn } = await harness.quotas.lease(key, quota);
      expect(granted).to.equal(4);
      expect(endsIn).to.be.within(15_000, 20_000);
      await harness.advance(20_000);
      expect((await harness.quotas.lease(key, quota)).granted).to.equal(6);
    });
  });
}
