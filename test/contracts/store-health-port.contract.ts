import { expect } from 'chai';
import { addEach, uniqueQueue } from './queue-steps.ts';
import type { QueueHarness } from './queue-harness.ts';

/** What every StoreHealthPort promises. */
export function describeStoreHealthPort(
  name: string,
  createHarness: () => Promise<QueueHarness>,
): void {
  describe(`StoreHealthPort: ${name}`, () => {
    let harness: QueueHarness;

    before(async () => {
      harness = await createHarness();
    });

    after(() => harness.dispose());

    it('resolves on every replica while the store answers, however many ask at once', async () => {
      const other = await harness.replica();
      const replicas = [harness, other, harness, other];
      await Promise.all(replicas.map(({ storeHealth }) => storeHealth.check()));
    });

    it('says how much memory it uses, and how much it may use', async () => {
      const { used, limit } = (await harness.storeHealth.memory())!;
      expect(used).to.be.above(100_000);
      expect(limit).to.be.above(used);
    });

    it('changes nothing in the store', async () => {
      const { queues, queueDirectory, storeHealth } = harness;
      const queue = uniqueQueue();
      await addEach(queues, queue, {}, { delay: 60_000 }, { priority: 1 });
      const before = [await queues.summary(queue), await queueDirectory.names()];
      await storeHealth.check();
      expect([await queues.summary(queue), await queueDirectory.names()]).to.deep.equal(before);
    });
  });
}
