import { expect } from 'chai';
import { REPLICA_SEEN_FOR, type ReplicaReport } from '../../src/application/ports/system-port.ts';
import type { QueueHarness } from './queue-harness.ts';
import { addOne, uniqueQueue } from './queue-steps.ts';

/** What every SystemPort promises. */
export function describeSystemPort(name: string, createHarness: () => Promise<QueueHarness>): void {
  describe(`SystemPort: ${name}`, () => {
    let harness: QueueHarness;

    before(async () => {
      harness = await createHarness();
    });
    after(() => harness.dispose());

    const reportOf = (instance: string): ReplicaReport => ({
      instance,
      version: '1.2.3',
      startedAt: 5,
      ready: true,
      running: 3,
      lagMs: 1,
    });

    /** Only those of the test. */
    async function replicas(start: string) {
      const { system } = await harness.replica();
      return (await system.replicas()).filter(({ instance }) => instance.startsWith(start));
    }

    // holds: system.store
    it('says what the store is', async () => {
      const { facts } = await harness.system.store();
      expect(facts.kind).to.equal(['memory', 'postgres'].includes(name) ? name : 'redis');
      expect(facts.usedMemory).to.be.greaterThan(0);
      expect(facts.database !== null).to.equal(facts.kind === 'postgres');
      if (facts.kind === 'redis') {
        expect(facts.version).to.match(/^\d+\.\d+/);
        expect(facts.evictionPolicy).to.be.a('string');
      }
    });

    // holds: system.replicas
    it('lists the replicas that reported themselves, each as it did last', async () => {
      const start = uniqueQueue();
      await harness.system.report(reportOf(`${start}-b`), harness.now() + 1500);
      await harness.system.report({ ...reportOf(`${start}-a`), running: 1 }, harness.now());
      await harness.system.report({ ...reportOf(`${start}-a`), ready: false }, harness.now());
      const [a, b, ...others] = await replicas(start);
      expect(others).to.deep.equal([]);
      expect(a).to.include({ ...reportOf(`${start}-a`), ready: false });
      expect(b).to.include(reportOf(`${start}-b`));
      expect(b!.clockSkewMs - a!.clockSkewMs).to.be.within(1000, 2000);
      expect(a!.seenAt).to.be.a('number');
    });

    // holds: system.replicas
    it('leaves out replicas that were not seen for a while', async function () {
      // The store of others has a clock that no test can move.
      if (name !== 'memory') return;
      const start = uniqueQueue();
      await harness.system.report(reportOf(start), harness.now());
      await harness.advance(REPLICA_SEEN_FOR);
      expect(await replicas(start)).to.have.length(1);
      await harness.advance(1);
      expect(await replicas(start)).to.deep.equal([]);
    });

    // holds: security.emptied-store
    it('names the stored data, for every replica alike', async () => {
      const id = await harness.system.dataId();
      expect(id).to.have.length.greaterThan(0);
      expect(await harness.system.dataId()).to.equal(id);
      expect(await (await harness.replica()).system.dataId()).to.equal(id);
    });

    // holds: system.warnings
    it('reads the versions of the library that wrote the queues, each once', async () => {
      const queues = [uniqueQueue(), uniqueQueue(), uniqueQueue()];
      for (const queue of queues.slice(1)) await addOne(harness.queues, queue);
      const versions = await harness.system.nativeVersions(queues);
      expect(versions).to.have.length.at.most(1);
      for (const version of versions) expect(version).to.match(/^\d+\.\d+/);
    });
  });
}
