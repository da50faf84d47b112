import { expect } from 'chai';
import sinon from 'sinon';
import { memoryQueueControl } from '../../../src/adapters/outbound/memory/ports/memory-queue-control.ts';
import { memoryQueues } from '../../../src/adapters/outbound/memory/ports/memory-queues.ts';
import { FakeClock } from '../../support/fake-clock.ts';
import { memoryStore } from '../../support/memory-store.ts';
import { jobOf, uniqueQueue } from '../../contracts/queue-steps.ts';

const JOBS = 2500;

describe('many jobs that are removed from memory', () => {
  afterEach(() => {
    sinon.restore();
  });

  for (const what of ['drain', 'remove'] as const) {
    it(`are looked at 1,000 at a time: ${what}`, async () => {
      const queue = uniqueQueue();
      const store = memoryStore(new FakeClock());
      const jobs = Array.from({ length: JOBS }, () => jobOf());
      await memoryQueues(store).add(queue, jobs);
      const looks = sinon.spy(store.open(queue).jobs.listed, 'inOrderOfRemovalIn');
      const control = memoryQueueControl(store);
      const removed = await (what === 'drain'
        ? control.drain(queue, {})
        : control.remove(queue, false));
      expect(removed).to.deep.equal(
        what === 'drain' ? JOBS : { kind: 'removed', jobs: JOBS, schedulers: 0 },
      );
      const most = Math.max(...looks.returnValues.map(({ length }) => length));
      expect(most).to.equal(1000);
    });
  }
});
