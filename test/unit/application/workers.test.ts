import type { KeptWorkers } from '../../../src/application/kept/workers.ts';
import { queueNamed } from '../../support/queue-named.ts';
import { expect } from 'chai';
import { MemorySignals } from '../../../src/adapters/outbound/memory/ports/memory-signals.ts';
import { saveWorker, workersInMemory } from '../../support/collections.ts';
import { KnownWorkers } from '../../../src/application/kept/known-workers.ts';
import { Workers } from '../../../src/application/workers/workers.ts';
import { queueName } from '../../../src/domain/queues/queue-name.ts';
import { workerShape, type Worker } from '../../../src/domain/workers/worker.ts';
import { memoryQueueHarness } from '../../support/memory-queue-harness.ts';
import { FakeClock } from '../../support/fake-clock.ts';
import { noPolicies } from '../../support/no-policies.ts';
import { silentLogger } from '../../support/silent-logger.ts';

const SHAPE = workerShape(queueName({ min: 3, max: 100 }));
const tokens = { draw: () => 'drawn' };
const WORKER: Worker = {
  queue: queueNamed('mail'),
  endpoint: { url: 'http://localhost:1/', method: 'post' },
};

describe('Workers, when the store hangs right after a change', () => {
  let clock: FakeClock;
  let store: KeptWorkers;
  let reconciled: (() => void) | undefined;
  let workers: Workers;

  beforeEach(() => {
    clock = new FakeClock();
    store = workersInMemory();
    const { breakers } = memoryQueueHarness();
    const reconcile = (): Promise<void> => new Promise((resolve) => (reconciled = resolve));
    workers = new Workers({
      store,
      inForce: new KnownWorkers(store, silentLogger),
      policies: noPolicies,
      signals: new MemorySignals(),
      fleet: { reconcile },
      breakers,
      tokens,
      secrets: tokens,
      clock,
      shape: SHAPE,
    });
  });

  for (const [name, change] of [
    ['register', () => workers.register(WORKER)],
    ['remove', () => workers.remove(WORKER.queue)],
  ] as const) {
    it(`${name} answers in time once the change is stored`, async () => {
      if (name === 'remove') await saveWorker(store, WORKER);
      const registeredAt = clock.now();
      let answered = false;
      const answer = change().then(() => (answered = true));
      await clock.advance(1899);
      expect(answered).to.equal(false);
      const stored =
        name === 'remove' ? undefined : { ...WORKER, registration: 'drawn', registeredAt };
      expect(await store.find(WORKER.queue)).to.deep.equal(stored);
      await clock.advance(1);
      expect(answered).to.equal(true);
      await answer;
    });

    it(`${name} answers as soon as this replica has followed, and leaves no timer`, async () => {
      await saveWorker(store, WORKER);
      const answer = change();
      await clock.advance(0);
      reconciled?.();
      await answer;
      expect(clock.sleepers).to.equal(0);
    });
  }
});
