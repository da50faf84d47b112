import { queueNamed } from '../../support/queue-named.ts';
import { expect } from 'chai';
import { MemoryKeyChecks } from '../../../src/adapters/outbound/memory/ports/memory-key-checks.ts';
import { MemoryWorkerStore } from '../../../src/adapters/outbound/memory/ports/memory-worker-store.ts';
import { describeKeyCheckStorePort } from '../../contracts/key-check-store-port.contract.ts';
import { describeSealedWorkers, sealedHarness } from '../../contracts/sealed-workers.contract.ts';
import { describeWorkerStorePort } from '../../contracts/worker-store-port.contract.ts';

const harness = (most?: number) => {
  const store = new MemoryWorkerStore(undefined, most);
  return Promise.resolve({
    store,
    checks: new MemoryKeyChecks(),
    replica: () => Promise.resolve(store),
    dispose: () => Promise.resolve(),
  });
};

describeWorkerStorePort('memory', harness);
describeWorkerStorePort('memory, sealed', sealedHarness(harness));
describeSealedWorkers('memory', harness);
describeKeyCheckStorePort('memory', () => {
  const store = new MemoryKeyChecks();
  return Promise.resolve({
    store,
    replica: () => Promise.resolve(store),
    dispose: () => Promise.resolve(),
  });
});

describe('MemoryWorkerStore', () => {
  const worker = () => ({
    queue: queueNamed('mail'),
    endpoint: { url: 'http://127.0.0.1/', method: 'post' as const, headers: { a: 'b' } },
  });

  it('shares no objects with the callers that save', async () => {
    const store = new MemoryWorkerStore();
    const saved = worker();
    await store.save(saved);
    saved.endpoint.headers.a = 'changed';
    expect(await store.find(saved.queue)).to.deep.equal(worker());
    const changed = worker();
    await store.change(saved.queue, () => changed);
    changed.endpoint.headers.a = 'changed';
    expect(await store.find(saved.queue)).to.deep.equal(worker());
  });
});
