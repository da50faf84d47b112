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
      const quota = { wanted: 3, needed: 1, max: 10, duration: 60_000 };
      const leases = await Promise.all(
        [harness, other, harness, other, harness].map(({ quotas }) => quotas.lease(key, quota)),
      );
      expect(leases.map(({ granted }) => granted).sort()).to.deep.equal([0, 1, 3, 3, 3]);
      expect(Math.min(...leases.map(({ left }) => left))).to.equal(0);
      for (const { endsIn } of leases) expect(endsIn).to.be.within(50_000, 60_000);
      expect((await harness.quotas.lease(randomUUID(), quota)).granted).to.equal(3);
    });

    it('leases nothing when less is left than what is needed', async () => {
      const key = randomUUID();
      const quota = { wanted: 8, needed: 8, max: 10, duration: 60_000 };
      expect(await harness.quotas.lease(key, quota)).to.include({ granted: 8, left: 2 });
      const refused = await harness.quotas.lease(key, { ...quota, wanted: 5, needed: 3 });
      expect(refused).to.include({ granted: 0, left: 2 });
      const rest = await harness.quotas.lease(key, { ...quota, wanted: 5, needed: 2 });
      expect(rest).to.include({ granted: 2, left: 0 });
    });

    it('has a whole quota again after its time, which begins with the first lease', async () => {
      const key = randomUUID();
      const quota = { wanted: 6, needed: 1, max: 10, duration: 60_000 };
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
