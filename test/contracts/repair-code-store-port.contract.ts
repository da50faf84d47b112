import { randomUUID } from 'node:crypto';
import { expect } from 'chai';
import type { QueueHarness } from './queue-harness.ts';

/** What every RepairCodeStorePort promises. */
export function describeRepairCodeStorePort(
  name: string,
  createHarness: () => Promise<QueueHarness>,
): void {
  describe(`RepairCodeStorePort: ${name}`, () => {
    let harness: QueueHarness;

    before(async () => {
      harness = await createHarness();
    });

    after(() => harness.dispose());

    // holds: mcp.code-once
    it('gives a code to one of all who take it, on whatever replica', async () => {
      const other = await harness.replica();
      const code = randomUUID();
      await harness.repairCodes.save(code, 60_000);
      const taken = await Promise.all(
        [harness, other, harness, other].map(({ repairCodes }) => repairCodes.take(code)),
      );
      expect(taken.filter((was) => was)).to.deep.equal([true]);
      expect(await other.repairCodes.take(randomUUID())).to.equal(false);
    });

    // holds: mcp.code-time
    it('forgets a code after its time', async () => {
      const [early, late] = [randomUUID(), randomUUID()];
      for (const code of [early, late]) await harness.repairCodes.save(code, 60_000);
      await harness.advance(50_000);
      expect(await harness.repairCodes.take(early)).to.equal(true);
      await harness.advance(10_000);
      expect(await harness.repairCodes.take(late)).to.equal(false);
    });
  });
}
