import { expect } from 'chai';
import { ALL_QUEUES } from '../../src/application/ports/policy-store-port.ts';
import type { QueueHarness } from './queue-harness.ts';
import { addOne, uniqueQueue } from './queue-steps.ts';

const POLICY = {
  defaults: { attempts: 3, backoff: { type: 'linear', delay: 5 }, removeOnFail: { count: 1 } },
  maxJobSize: 100,
} as const;

/** What every PolicyStorePort promises. */
export function describePolicyStorePort(
  name: string,
  createHarness: () => Promise<QueueHarness>,
): void {
  describe(`PolicyStorePort: ${name}`, () => {
    let harness: QueueHarness;

    before(async () => {
      harness = await createHarness();
    });

    after(() => harness.dispose());

    it('keeps the policies of queues and of all queues apart, for all replicas', async () => {
      const { policies } = harness;
      const other = (await harness.replica()).policies;
      const queue = uniqueQueue();
      await policies.save(queue, POLICY);
      await policies.save(ALL_QUEUES, { maxJobSize: 5 });
      expect(await other.find(queue)).to.deep.equal(POLICY);
      expect(await other.find(ALL_QUEUES)).to.deep.equal({ maxJobSize: 5 });
      const all = await other.all();
      expect(all.get(queue)).to.deep.equal(POLICY);
      expect(all.get(ALL_QUEUES)).to.deep.equal({ maxJobSize: 5 });
    });

    it('replaces a policy as a whole, and removes it once', async () => {
      const { policies } = harness;
      const queue = uniqueQueue();
      expect(await policies.remove(queue)).to.equal(false);
      await policies.save(queue, POLICY);
      await policies.save(queue, {});
      expect(await policies.find(queue)).to.deep.equal({});
      expect(await policies.remove(queue)).to.equal(true);
      expect(await policies.remove(queue)).to.equal(false);
      expect(await policies.find(queue)).to.equal(undefined);
      expect((await policies.all()).has(queue)).to.equal(false);
    });

    // holds: policy.creates
    it('creates the queue, which stays', async () => {
      const { policies, queueDirectory, queues } = harness;
      const queue = uniqueQueue();
      await policies.save(queue, POLICY);
      await policies.remove(queue);
      const [glance] = await queueDirectory.glances([queue]);
      expect(glance).to.include({ isPaused: false });
      expect(await queueDirectory.names()).to.include(queue);
      await addOne(queues, queue);
      await policies.save(queue, POLICY);
      expect(await queueDirectory.names()).to.include(queue);
    });
  });
}
